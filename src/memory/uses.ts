import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../store/tables.ts";
import { type Balance, balanceOf } from "./effect/balance.ts";
import type { Use } from "./effect/effect.ts";
import { type Usual, usualOf } from "./effect/usual.ts";

/** Every settled use of these records: the iterations they reached, and how those ended. */
export async function usesOf(db: Kysely<Tables>, records: readonly string[] | "all"): Promise<Use[]> {
  if (records.length === 0) return [];
  let query = db.selectFrom("memory_uses").selectAll().where("won", "is not", null);
  if (records !== "all") query = query.where("record_id", "in", [...records]);
  return (await query.execute()).map(toUse);
}

const toUse = (row: Selectable<Tables["memory_uses"]>): Use => ({
  record: row.record_id,
  task: row.task_id,
  iteration: Number(row.iteration_num),
  shown: Number(row.shown) === 1,
  won: Number(row.won) === 1,
  tokens: Number(row.tokens),
  at: Number(row.created_at),
});

/** The newest uses show what is usual now. */
const NEWEST = 1000;

export async function usualNow(db: Kysely<Tables>): Promise<Usual> {
  const query = db.selectFrom("memory_uses").selectAll().where("won", "is not", null);
  const rows = await query.orderBy("created_at", "desc").limit(NEWEST).execute();
  return usualOf(rows.map(toUse));
}

/** The records that were found for a task. */
export async function recordsUsedIn(db: Kysely<Tables>, task: string): Promise<string[]> {
  const rows = await db
    .selectFrom("memory_uses")
    .select("record_id")
    .distinct()
    .where("task_id", "=", task)
    .orderBy("record_id")
    .execute();
  return rows.map((row) => row.record_id);
}

/** What memory has done so far. */
export interface UseFigures {
  /** How often it was asked, and how often it had an answer. */
  recalls: number;
  hits: number;
  /** Tokens of all quotations, including the words around them. */
  tokens: number;
  balance: Balance;
}

export async function useFigures(db: Kysely<Tables>): Promise<UseFigures> {
  const row = await db
    .selectFrom("memory_recalls")
    .select((eb) => [
      eb.fn.countAll<number>().as("recalls"),
      eb.fn.sum<number | null>("tokens").as("tokens"),
      eb.fn.avg<number | null>("tokens_used").as("each"),
    ])
    .executeTakeFirstOrThrow();
  const hits = await db
    .selectFrom("memory_recalls")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("found", ">", 0)
    .executeTakeFirstOrThrow();
  return {
    recalls: Number(row.recalls),
    hits: Number(hits.count),
    tokens: Number(row.tokens ?? 0),
    balance: balanceOf(await usesOf(db, "all"), Number(row.each ?? 0)),
  };
}
