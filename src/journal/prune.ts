import type { Transaction } from "kysely";
import { fail } from "../domain/failure.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { isAlive, Owner } from "./claim.ts";
import { reachable } from "./pack.ts";

export interface Pruned {
  tasks: number;
  blobs: number;
}

/** Tables with rows of a task. The task's own row is deleted last. */
const OF_A_TASK = [
  "steps",
  "generations",
  "events",
  "reservations",
  "iterations",
  "metrics",
  "usage",
  "tallies",
  "approvals",
  "messages",
  "jobs",
  "loans",
  "memory_writes",
] as const satisfies (keyof Tables)[];

const BATCH = 500;

/**
 * Deletes tasks, and every blob that no other task needs, in one transaction. The write lock keeps other processes from
 * recording meanwhile. Nothing else deletes anything. Lessons and patterns outlive their task.
 */
export async function pruneTasks(store: Store, ids: string[]): Promise<Pruned> {
  const prune = async (tx: Transaction<Tables>) => {
    await refuseLive(tx);
    for (const table of OF_A_TASK) {
      for (const id of ids) await tx.deleteFrom(table).where("task_id", "=", id).execute();
    }
    let tasks = 0;
    for (const id of ids) {
      const deleted = await tx.deleteFrom("tasks").where("id", "=", id).executeTakeFirst();
      tasks += Number(deleted.numDeletedRows);
    }
    return { tasks, blobs: await sweep(tx) };
  };
  return store.write(prune, { alone: true });
}

/** A live run may hold blobs and trees that no row refers to yet. */
async function refuseLive(tx: Transaction<Tables>): Promise<void> {
  const owned = await tx.selectFrom("tasks").select(["id", "owner"]).where("owner", "is not", null).execute();
  const live = owned.find(({ owner }) => owner !== null && isAlive(Owner.parse(JSON.parse(owner))));
  if (live) {
    const message = `task ${live.id} is being worked on; prune when nothing is: \`miracle pause ${live.id}\` stops it`;
    throw fail("invalid-input", "prune.live", message);
  }
}

async function sweep(tx: Transaction<Tables>): Promise<number> {
  const kept = new Set<string>();
  const load = async (hash: string): Promise<string> => {
    const row = await tx.selectFrom("blobs").select("bytes").where("hash", "=", hash).executeTakeFirst();
    // A missing blob cannot be kept. `verify` reports it.
    return row === undefined ? "null" : Buffer.from(row.bytes).toString("utf8");
  };
  const keep = async (hash: string) => {
    if (kept.has(hash)) return;
    for (const name of (await reachable(hash, load)).keys()) kept.add(name);
  };
  for (const { frozen_hash } of await tx.selectFrom("tasks").select("frozen_hash").execute()) await keep(frozen_hash);
  for (const step of await tx.selectFrom("steps").select(["input_hash", "output_hash"]).execute()) {
    await keep(step.input_hash);
    await keep(step.output_hash);
  }
  const all = await tx.selectFrom("blobs").select("hash").execute();
  const gone = all.map(({ hash }) => hash).filter((hash) => !kept.has(hash));
  for (let at = 0; at < gone.length; at += BATCH) {
    await tx
      .deleteFrom("blobs")
      .where("hash", "in", gone.slice(at, at + BATCH))
      .execute();
  }
  return gone.length;
}
