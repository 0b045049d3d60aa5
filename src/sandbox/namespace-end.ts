import { attempt, readOr } from "./control-group.ts";
import { waitUntil } from "./wait-until.ts";

/**
 * Resolves when the first process of a pid namespace is dead. The kernel lets it die only after every other process
 * of the namespace, so then nothing of the command runs any more.
 */
export async function namespaceEnd(firstProcess: number): Promise<void> {
  endNamespace(firstProcess);
  if (!(await waitUntil(() => !isAlive(firstProcess), 10_000))) {
    throw new Error("processes of a sandboxed command did not end when killed");
  }
}

/**
 * Ends a namespace with its first process. bwrap asks the kernel to do that when bwrap ends, but the command may write to
 * the memory of the namespace's first process, which is its own user's, and so have that wish taken back.
 */
export function endNamespace(firstProcess: number | undefined): void {
  if (firstProcess !== undefined && leadsNamespace(firstProcess)) attempt(() => process.kill(firstProcess, "SIGKILL"));
}

/** Its id may be another process's by now: only who is the first of another namespace is ours to end. */
function leadsNamespace(pid: number): boolean {
  return /^NSpid:\t\d+(?:\t\d+)*\t1$/m.test(readOr(`/proc/${pid}/status`, ""));
}

/** A zombie only waits for its parent to look: it runs no code. */
function isAlive(pid: number): boolean {
  const stat = readOr(`/proc/${pid}/stat`, "");
  const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  return stat !== "" && state !== "Z" && state !== "X";
}
