import { setTimeout as sleep } from "node:timers/promises";
import { readOr } from "./control-group.ts";

/**
 * Resolves when the first process of a pid namespace is dead. The kernel lets it die only after every other process
 * of the namespace, so then nothing of the command runs any more.
 */
export async function namespaceEnd(firstProcess: number): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (let waitMs = 1; isAlive(firstProcess); waitMs = Math.min(waitMs * 2, 50)) {
    if (performance.now() > deadline) throw new Error("processes of a sandboxed command did not end when killed");
    await sleep(waitMs);
  }
}

/** A zombie only waits for its parent to look: it runs no code. */
function isAlive(pid: number): boolean {
  const stat = readOr(`/proc/${pid}/stat`, "");
  const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  return stat !== "" && state !== "Z" && state !== "X";
}
