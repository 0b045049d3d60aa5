import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isDotGit, isSecretPlace } from "./left-out.ts";

/** A file or directory of this machine that is not part of the workspace. */
export interface OutsidePlace {
  /** With every link resolved: what a person is asked about is what is read. */
  path: string;
  isDirectory: boolean;
}

export interface OutsideRules {
  /** What `~` stands for; absent: nothing. */
  home?: string | undefined;
  /** Directories of which nothing is read: our own data, the user's project, of which the workspace is a copy. */
  kept: readonly string[];
}

/** What belongs to the system itself. Commands see programs and libraries anyway. */
const SYSTEM = ["/proc", "/sys", "/run", "/usr", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/etc"];

/**
 * The place that a path names, if a person can be asked for it. Null for a path of the workspace, for what is not there,
 * for secrets, and for a directory that is too much to ask for: one that holds what is kept, or a top one.
 */
export function outsidePlace(asked: string, { home, kept }: OutsideRules): OutsidePlace | null {
  const path = asked.trim();
  const absolute = path.startsWith("~/") && home !== undefined ? join(home, path.slice(2)) : path;
  if (!absolute.startsWith("/") || absolute.includes("\0")) return null;
  let real: string;
  let isDirectory: boolean;
  try {
    real = realpathSync(absolute);
    const stats = statSync(real);
    if (!stats.isFile() && !stats.isDirectory()) return null;
    isDirectory = stats.isDirectory();
  } catch {
    return null;
  }
  const names = real.split("/").slice(1);
  if (isSecretPlace(real) || names.some(isDotGit) || (isDirectory && names.length < 2)) return null;
  const closed = [...SYSTEM, ...kept.map(resolved)];
  if (closed.some((directory) => isBelow(real, directory) || (isDirectory && isBelow(directory, real)))) return null;
  return { path: real, isDirectory };
}

const isBelow = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
