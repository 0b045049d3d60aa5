import { sql, type Transaction } from "kysely";
import type { Event } from "../domain/task/event.ts";
import type { Tables } from "../store/tables.ts";

/** Records how a task used memory. In a fork it covers only the fork's own steps; the others were the parent's use. */
export async function projectMemory(tx: Transaction<Tables>, event: Event): Promise<void> {
  if (event.type === "memory-recalled") await recordUses(tx, event);
  if (event.type === "iteration-settled") await settleUses(tx, event);
}

/**
 * Records what was found for an iteration. A todo that starts over from a checkpoint asks again, and the later answer
 * counts.
 */
async function recordUses(tx: Transaction<Tables>, event: Event & { type: "memory-recalled" }): Promise<void> {
  const { task, todo, iteration, shown, heldBack, at } = event;
  const place = { task_id: task, todo, iteration_num: iteration };
  const found = [...shown.map((one) => ({ ...one, shown: 1 })), ...heldBack.map((one) => ({ ...one, shown: 0 }))];
  await deleteFrom(tx, "memory_recalls", place);
  await deleteFrom(tx, "memory_uses", place);
  const recall = { ...place, cause: event.cause, found: found.length, tokens: event.tokens, created_at: at };
  await tx
    .insertInto("memory_recalls")
    .values({ ...recall, won: null, tokens_used: null })
    .execute();
  for (const one of found) {
    const use = { ...place, record_id: one.id, shown: one.shown, tokens: one.tokens, won: null, created_at: at };
    await tx.insertInto("memory_uses").values(use).execute();
  }
}

/** The iteration has ended. The records that reached it get its outcome, and patterns update their count and rate. */
async function settleUses(
  tx: Transaction<Tables>,
  { task, iteration }: Event & { type: "iteration-settled" },
): Promise<void> {
  const place = { task_id: task, todo: iteration.todo, iteration_num: iteration.number };
  const won = iteration.outcome === "green" ? 1 : 0;
  const { numUpdatedRows } = await tx
    .updateTable("memory_recalls")
    .set({ won, tokens_used: iteration.tokens })
    .where("task_id", "=", place.task_id)
    .where("todo", "=", place.todo)
    .where("iteration_num", "=", place.iteration_num)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) === 0) return;
  await tx
    .updateTable("memory_uses")
    .set({ won })
    .where("task_id", "=", place.task_id)
    .where("todo", "=", place.todo)
    .where("iteration_num", "=", place.iteration_num)
    .execute();
  await sql`update patterns set
      usage_count = (select count(*) from memory_uses u where u.record_id = patterns.id and u.shown = 1 and u.won is not null),
      success_rate = (select coalesce(avg(u.won), 0) from memory_uses u where u.record_id = patterns.id and u.shown = 1)
    where id in (select record_id from memory_uses
      where task_id = ${place.task_id} and todo = ${place.todo} and iteration_num = ${place.iteration_num})`.execute(
    tx,
  );
}

interface Place {
  task_id: string;
  todo: string;
  iteration_num: number;
}

async function deleteFrom(
  tx: Transaction<Tables>,
  table: "memory_recalls" | "memory_uses",
  { task_id, todo, iteration_num }: Place,
): Promise<void> {
  await tx
    .deleteFrom(table)
    .where("task_id", "=", task_id)
    .where("todo", "=", todo)
    .where("iteration_num", "=", iteration_num)
    .execute();
}
