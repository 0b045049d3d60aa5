import { existsSync, lstatSync, mkdtempSync, readdirSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeTree } from "./remove-tree.ts";

const NAME = /^miracle-[a-z]+-(\d+)-(\d+)-\w{6}$/;

/**
 * A new directory for what this process needs only while it lives. Its name says whose it is, so that what a killed
 * process left can be found and removed.
 */
export function makeScratch(purpose: string, root = tmpdir()): string {
  return mkdtempSync(join(root, `miracle-${purpose}-${pidNamespace()}-${process.pid}-`));
}

/** The path of a UNIX socket has at most 107 bytes. */
export const makeSocketScratch = (purpose: string): string =>
  makeScratch(purpose, Buffer.byteLength(tmpdir()) > 40 ? "/tmp" : tmpdir());

/** Removes what processes left that are gone. Only directories of these users: others may have chosen such a name, too. */
export function removeAbandoned(users: number[], root = tmpdir()): string[] {
  const removed: string[] = [];
  for (const name of namesIn(root)) {
    const [, namespace, pid] = NAME.exec(name) ?? [];
    // A number means another process in another namespace: what shares our directory need not share our processes.
    if (pid === undefined || namespace !== pidNamespace() || existsSync(`/proc/${pid}`)) continue;
    const path = join(root, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isDirectory() || !users.includes(stats.uid)) continue;
    try {
      removeTree(path);
      removed.push(path);
    } catch {
      // Somebody else removes it as well, or it is not ours to remove: it is only litter.
    }
  }
  return removed;
}

/** 0 where there is no such thing: then there is no `/proc` either, and nothing is known to be gone. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "0";
  } catch {
    return "0";
  }
}

function namesIn(directory: string): string[] {
  try {
    // Without `/proc` every process would look gone.
    return existsSync("/proc/self") ? readdirSync(directory) : [];
  } catch {
    return [];
  }
}
