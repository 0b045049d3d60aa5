import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fail } from "../domain/failure.ts";
import type { ArtifactStore } from "./artifact-store.ts";

const SQLITE_BUSY = 5;
const PAUSE_MS = 20;
const LONGEST_WAIT_MS = 120_000;

/**
 * Lets one process at a time write into users' directories. Between the check of a file and its replacement, no other
 * process of ours may write there. The lock is that of an empty SQLite file, because the system releases it whatever
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
