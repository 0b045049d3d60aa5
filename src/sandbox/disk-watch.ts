import { lstatSync, readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { hasHidingPlace, TMPFS } from "./hiding-places.ts";
import { isGone, namesIn, namespaceProcesses } from "./namespace-processes.ts";

/** How often the disk use of a running command is checked. */
export const DISK_WATCH_MS = 250;

/** Files and directories that a command may make per megabyte of its disk: one for each 4 kB. */
const FILES_PER_MB = 256;

/** If the disk loses this many times the limit, a command that may hide its writes is ended. */
const UNEXPLAINED = 4;

/** After a long check the next one waits, so that the command cannot keep us busy by what it writes. */
const REST = 10;

/** How far the clock of file times is behind the clock that we read. */
const COARSE_MS = 20;

/** Used space of a disk. */
interface Use {
  bytes: number;
  files: number;
}

/**
 * Says whether a command has filled the disk beyond its limit, with content or with files. The kernel limits each file; that
 * many are too many is seen here, a moment late. Looking costs two calls as long as the disk as a whole has not lost
 * that much. `firstProcess` is the first of the command's pid namespace, once it is known; null where it never will be.
 *
 * Others may fill the disk meanwhile: only what is the command's counts. Where it has a place to hide content in, and the
 * disk loses several times the limit, it is taken to be the one.
 */
export function watchDisk(
  workspace: string,
  limitMb: number,
  startedAt: number,
): (firstProcess?: number | null | undefined) => boolean {
  const limit: Use = { bytes: limitMb * 1024 * 1024, files: limitMb * FILES_PER_MB };
  const most = freeOf(workspace);
  let nextLook = 0;
  return (firstProcess) => {
    if (typeof firstProcess === "number" && temporaryFiles(firstProcess) > limit.files) return true;
    const free = freeNow(workspace);
    if (free === null) return false;
    // Space that others free meanwhile does not belong to the command.
    most.bytes = Math.max(most.bytes, free.bytes);
    most.files = Math.max(most.files, free.files);
    const lost = { bytes: most.bytes - free.bytes, files: most.files - free.files };
    const start = performance.now();
    if (!isOver(lost, limit) || start < nextLook) return false;
    const { isBlind, ...use } = writtenSince(workspace, startedAt, limit);
    if (!isOver(use, limit) && typeof firstProcess === "number") addHeldOpen(use, firstProcess, workspace);
    const isMuch = lost.bytes > UNEXPLAINED * limit.bytes || lost.files > UNEXPLAINED * limit.files;
    const over = isOver(use, limit) || (isMuch && (isBlind || mayHide(firstProcess)));
    nextLook = performance.now() + REST * (performance.now() - start);
    return over;
  };
}

/** A command without a visible process has not begun. */
const mayHide = (firstProcess: number | null | undefined): boolean =>
  firstProcess === null || (firstProcess !== undefined && hasHidingPlace(firstProcess));

const isOver = (use: Use, limit: Use) => use.bytes > limit.bytes || use.files > limit.files;

function freeOf(path: string): Use {
  const { bavail, bsize, ffree } = statfsSync(path);
  return { bytes: bavail * bsize, files: ffree };
}

/** Null if the workspace is gone. Then there is nothing left to watch. */
function freeNow(workspace: string): Use | null {
  try {
    return freeOf(workspace);
  } catch {
    return null;
  }
}

/** The sandbox's own file systems in memory are limited in bytes, but an empty file uses memory, too. */
function temporaryFiles(firstProcess: number): number {
  const counts = ["tmp", "dev/shm"].map((path) => {
    try {
      const { type, files, ffree } = statfsSync(`/proc/${firstProcess}/root/${path}`);
      return type === TMPFS ? files - ffree : 0;
    } catch {
      return 0; // it is over, or not begun
    }
  });
  return Math.max(...counts);
}

/**
 * Files made or changed since then. Stops counting beyond `enough`. Follows no link. `isBlind`: some could not be seen.
 */
function writtenSince(directory: string, startedAt: number, enough: Use): Use & { isBlind: boolean } {
  const use = { bytes: 0, files: 0, isBlind: false };
  const pending = [Buffer.from(directory)];
  for (let next = pending.pop(); next !== undefined && !isOver(use, enough); next = pending.pop()) {
    const names = rawNamesIn(next);
    if (names === null) use.isBlind = true;
    for (const name of names ?? []) {
      const path = Buffer.concat([next, SLASH, name]);
      const stats = statsOf(() => lstatSync(path));
      if (stats?.isDirectory()) pending.push(path);
      // The kernel sets the time of change: a program cannot set it back.
      if (stats && stats.ctimeMs >= startedAt - COARSE_MS) {
        use.bytes += stats.blocks * 512;
        use.files += 1;
      }
    }
  }
  return use;
}

/** Adds files without a name that still exist because a process of the command holds them open. */
function addHeldOpen(use: Use, firstProcess: number, workspace: string): void {
  const device = statsOf(() => lstatSync(workspace))?.dev;
  const seen = new Set<number>();
  for (const pid of namespaceProcesses(firstProcess)) {
    for (const descriptor of namesIn(`/proc/${pid}/fd`) ?? []) {
      const stats = statsOf(() => statSync(`/proc/${pid}/fd/${descriptor}`));
      if (!stats?.isFile() || stats.nlink > 0 || stats.dev !== device || seen.has(stats.ino)) continue;
      seen.add(stats.ino);
      use.bytes += stats.blocks * 512;
      use.files += 1;
    }
  }
}

/**
 * A name may not be text. The command may delete files while we look. Null if the directory is closed to us, or deeper
 * than a path can express.
 */
function rawNamesIn(directory: Buffer): Buffer[] | null {
  try {
    return readdirSync(directory, { encoding: "buffer" });
  } catch (error) {
    return isGone(error) ? [] : null;
  }
}

const SLASH = Buffer.from("/");

function statsOf(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
