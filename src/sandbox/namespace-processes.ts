import { readdirSync, readlinkSync } from "node:fs";

/** The processes of this process's pid namespace, by their numbers here. None if the process is gone. */
export function namespaceProcesses(firstProcess: number): string[] {
  const namespace = linkOf(`/proc/${firstProcess}/ns/pid`);
  if (namespace === "") return [];
  const all = namesIn("/proc") ?? [];
  return all.filter((name) => /^\d+$/.test(name) && linkOf(`/proc/${name}/ns/pid`) === namespace);
}

/** Null if they may not be seen. A process that is gone has none. */
export function namesIn(directory: string): string[] | null {
  try {
    return readdirSync(directory);
  } catch (error) {
    return isGone(error) ? [] : null;
  }
}

/** ESRCH: a process that ended while it was looked at. */
export const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH");

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
