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
 * Ends a namespace through its first process. bwrap asks the kernel to do that when bwrap ends. But the command may
 * write to the memory of that first process, which belongs to the same user, and so cancel that request.
 */
export function endNamespace(firstProcess: number | undefined): void {
  if (firstProcess !== undefined && leadsNamespace(firstProcess)) attempt(() => process.kill(firstProcess, "SIGKILL"));
}

/** Its id may belong to another process by now. We may only end a process that is the first of another namespace. */
function leadsNamespace(pid: number): boolean {
  return /^NSpid:\t\d+(?:\t\d+)*\t1$/m.test(readOr(`/proc/${pid}/status`, ""));
}

/** A zombie runs no code. It only waits for its parent. */
function isAlive(pid: number): boolean {
  const stat = readOr(`/proc/${pid}/stat`, "");
  const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
  return stat !== "" && state !== "Z" && state !== "X";
}
