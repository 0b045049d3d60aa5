import { existsSync, lstatSync, mkdtempSync, readdirSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "./remove-tree.ts";

const NAME = /^miracle-[a-z]+-(\d+)-(\d+)-\w{6}$/;

/**
 * Makes a directory for the lifetime of this process. Its name holds the process id, so that what a killed process left
 * can be found and removed.
 */
export function makeScratch(purpose: string, root = tmpdir()): string {
  return mkdtempSync(join(root, `miracle-${purpose}-${pidNamespace()}-${process.pid}-`));
}

/** The path of a UNIX socket has at most 107 bytes. */
export const makeSocketScratch = (purpose: string): string =>
  makeScratch(purpose, Buffer.byteLength(tmpdir()) > 40 ? "/tmp" : tmpdir());

/** Removes directories of dead processes. Only those of these users, because others may have chosen a similar name. */
export function removeAbandoned(users: number[], root = tmpdir()): string[] {
  const removed: string[] = [];
  for (const name of namesIn(root)) {
    const [, namespace, pid] = NAME.exec(name) ?? [];
    // In another namespace the same number is another process. Processes that share our directory need not share our
    // namespace.
    if (pid === undefined || namespace !== pidNamespace() || existsSync(`/proc/${pid}`)) continue;
    const path = join(root, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isDirectory() || !users.includes(stats.uid)) continue;
    try {
      removeTree(path);
      removed.push(path);
    } catch {
      // Somebody else removes it at the same time, or we may not remove it. It is only litter.
    }
  }
  return removed;
}

/** 0 if there are no namespaces. Then there is no `/proc` either, and no process is known to be dead. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

function namesIn(directory: string): string[] {
  try {
    // Without `/proc` every process would look dead.
    return existsSync("/proc/self") ? readdirSync(directory) : [];
  } catch {
    return [];
  }
}
