import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Identity } from "./identity.ts";

/**
 * The first directory on the way to `path` (itself included) that this identity may not pass; null if it gets there.
 */
export function firstObstacle(path: string, identity: Identity): string | null {
  const parents: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    parents.unshift(at);
    if (dirname(at) === at) break;
  }
  return parents.find((at) => !allows(at, identity, 0o1)) ?? null;
}

export const mayWrite = (path: string, identity: Identity): boolean => allows(path, identity, 0o3);

/** `bits` as in a mode: 4 read, 2 write, 1 pass or execute. Plain files need no right to be passed. */
function allows(path: string, { uid, gid }: Identity, bits: number): boolean {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch {
    return false;
  }
  if (!stats.isDirectory()) return true;
  const shift = stats.uid === uid ? 6 : stats.gid === gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}
