import { readOr } from "./control-group.ts";
import { waitUntil } from "./wait-until.ts";

/**
 * Resolves when the first process of a pid namespace is dead. The kernel lets it die only after every other process
 * of the namespace, so then nothing of the command runs any more.
 */
export async function namespaceEnd(firstProcess: number): Promise<void> {
  if (!(await waitUntil(() => !isAlive(firstProcess), 10_000))) {
    throw new Error("processes of a sandboxed command did not end when killed");
  }
}

/** A zombie only waits for its parent to look: it runs no code. */
function isAlive(pid: number): boolean {
  const stat = readOr(`/proc/${pid}/stat`, "");
  const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  return stat !== "" && state !== "Z" && state !== "X";
}
