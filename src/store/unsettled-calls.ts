import { sql } from "kysely";
import type { Store } from "./store.ts";

/** Calls whose outcome is not known: under way, or cut off by an interruption. Their worst case counts as spent. */
export interface UnsettledCalls {
  calls: number;
  tokens: number;
  costMicros: number;
}

/** Of each of these tasks that has such calls. */
export async function unsettledCalls(store: Store, tasks: string[]): Promise<Map<string, UnsettledCalls>> {
  if (tasks.length === 0) return new Map();
  const rows = await store.read
    .selectFrom("reservations")
    .select([
      "task_id",
      sql<number>`count(*)`.as("calls"),
      sql<number>`sum(tokens)`.as("tokens"),
      sql<number>`sum(micros)`.as("micros"),
    ])
    .where("task_id", "in", tasks)
    .where("settled", "=", 0)
    .groupBy("task_id")
    .execute();
  return new Map(
    rows.map(({ task_id, calls, tokens, micros }) => [
      task_id,
      { calls: Number(calls), tokens: Number(tokens), costMicros: Number(micros) },
    ]),
  );
}
