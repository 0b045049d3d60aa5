import { lstatSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** How often a running command's use of the disk is looked at. */
export const DISK_WATCH_MS = 250;

/**
 * Says whether a command has filled the disk beyond its limit. The kernel limits each file; that many files are too many
 * is seen here, a moment late. Looking costs one call as long as the disk as a whole has not lost that much space.
 */
export function watchDisk(workspace: string, limitMb: number, startedAt: number): () => boolean {
  const limit = limitMb * 1024 * 1024;
  const before = freeBytes(workspace);
  return () => before - freeBytes(workspace) > limit && writtenSince(workspace, startedAt, limit) > limit;
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** Bytes on disk of files that were changed since then; stops counting beyond `enough`. Follows no link. */
function writtenSince(directory: string, startedAt: number, enough: number): number {
  let bytes = 0;
  const pending = [directory];
  for (let next = pending.pop(); next !== undefined && bytes <= enough; next = pending.pop()) {
    for (const name of namesIn(next)) {
      const path = join(next, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats?.isDirectory()) pending.push(path);
      // The time of change is the kernel's: a program cannot set it back.
      else if (stats?.isFile() && stats.ctimeMs >= startedAt) bytes += stats.blocks * 512;
    }
  }
  return bytes;
}

/** The command may be deleting what we look at. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
