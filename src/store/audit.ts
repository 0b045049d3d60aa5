import type { Transaction } from "kysely";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** What was decided, refused, delivered or asked for, by whom, in one line. */
export interface AuditEntry {
  at: number;
  action: string;
  by: string;
  task: string | null;
  /** The request over HTTP that it belongs to. */
  request: string | null;
  detail: string;
}

const LONGEST_DETAIL = 500;

/** Writes an entry and returns its number. Writes are one after the other, so no number is given twice. */
export async function addAudit(tx: Transaction<Tables>, entry: AuditEntry): Promise<number> {
  const { at, action, by, task, request } = entry;
  const last = await tx
    .selectFrom("audit")
    .select((eb) => eb.fn.max("number").as("number"))
    .executeTakeFirst();
  const number = Number(last?.number ?? 0) + 1;
  const detail = entry.detail.replace(/\s+/g, " ").slice(0, LONGEST_DETAIL);
  await tx.insertInto("audit").values({ number, at, action, by_whom: by, task_id: task, request, detail }).execute();
  return number;
}

/** Newest first, before the given number. */
export async function readAudit(
  store: Store,
  { before, limit, task }: { before?: number | undefined; limit: number; task?: string | undefined },
): Promise<(AuditEntry & { number: number })[]> {
  let query = store.read.selectFrom("audit").selectAll().orderBy("number", "desc").limit(limit);
  if (before !== undefined) query = query.where("number", "<", before);
  if (task !== undefined) query = query.where("task_id", "=", task);
  return (await query.execute()).map((row) => ({
    number: Number(row.number),
    at: Number(row.at),
    action: row.action,
    by: row.by_whom,
    task: row.task_id,
    request: row.request,
    detail: row.detail,
  }));
}

export async function countAudit(store: Store, until: number): Promise<number> {
  const found = await store.read
    .selectFrom("audit")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("at", "<", until)
    .executeTakeFirst();
  return Number(found?.count ?? 0);
}

/** Deletes what is older, and says so in an entry of its own: that something is missing is never hidden. */
export async function pruneAudit(store: Store, until: number, who: { by: string; at: number }): Promise<number> {
  return store.write(async (tx) => {
    const old = await tx.selectFrom("audit").select("number").where("at", "<", until).execute();
    if (old.length === 0) return 0;
    // The entry comes first: numbers go on from the highest, and none may be given twice.
    const detail = `${old.length} older than ${new Date(until).toISOString()}`;
    await addAudit(tx, { ...who, action: "audit-pruned", task: null, request: null, detail });
    await tx.deleteFrom("audit").where("at", "<", until).execute();
    return old.length;
  });
}
