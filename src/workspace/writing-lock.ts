import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fail } from "../domain/failure.ts";
import type { ArtifactStore } from "./artifact-store.ts";

const SQLITE_BUSY = 5;
const PAUSE_MS = 20;
const LONGEST_WAIT_MS = 120_000;

/**
 * One process at a time writes into the users' directories: between the look at a file and its replacement no other one
 * of ours may put its own there. The lock is an empty SQLite file's, because the system takes that back whatever
 * happens to its holder.
 */
export async function whileWriting<Result>(store: ArtifactStore, work: () => Promise<Result>): Promise<Result> {
  const lock = new DatabaseSync(join(dirname(store.gitDirectory), "writing.lock"), { timeout: 0 });
  try {
    for (const start = performance.now(); !isTaken(lock); await delay(PAUSE_MS)) {
      if (performance.now() - start > LONGEST_WAIT_MS) throw busy();
    }
    return await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec("begin exclusive");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

const busy = () =>
  fail(
    "transient",
    "apply.busy",
    `another process has been writing a result for ${LONGEST_WAIT_MS / 1000} s; try again when it is done`,
  );
