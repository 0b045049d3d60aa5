import { lstatSync, readdirSync, readlinkSync, type Stats, statfsSync, statSync } from "node:fs";

/** How often a running command's use of the disk is looked at. */
export const DISK_WATCH_MS = 250;

/** Files and directories that a command may make for each megabyte of its disk: one for each 4 kB. */
const FILES_PER_MB = 256;

/** A disk that lost this many times the limit while the command ran, by whatever it hides from us, is reason enough. */
const UNEXPLAINED = 4;

/** A look that took long is not repeated soon: the command must not keep us busy by what it writes. */
const REST = 10;

/** How far the clock that stamps files is behind the one we read. */
const COARSE_MS = 20;

const TMPFS = 0x0102_1994;

/** What is taken of a disk. */
interface Use {
  bytes: number;
  files: number;
}

/**
 * Says whether a command has filled the disk beyond its limit, with content or with files. The kernel limits each file; that
 * many are too many is seen here, a moment late. Looking costs two calls as long as the disk as a whole has not lost
 * that much. `firstProcess` is the first of the command's pid namespace, once it is known.
 */
export function watchDisk(
  workspace: string,
  limitMb: number,
  startedAt: number,
): (firstProcess?: number | undefined) => boolean {
  const limit: Use = { bytes: limitMb * 1024 * 1024, files: limitMb * FILES_PER_MB };
  const most = freeOf(workspace);
  let nextLook = 0;
  return (firstProcess) => {
    if (firstProcess !== undefined && temporaryFiles(firstProcess) > limit.files) return true;
    const free = freeNow(workspace);
    if (free === null) return false;
    // What others free meanwhile is not the command's to fill.
    most.bytes = Math.max(most.bytes, free.bytes);
    most.files = Math.max(most.files, free.files);
    const lost = { bytes: most.bytes - free.bytes, files: most.files - free.files };
    const start = performance.now();
    if (!isOver(lost, limit) || start < nextLook) return false;
    const use = writtenSince(workspace, startedAt, limit);
    if (!isOver(use, limit) && firstProcess !== undefined) addHeldOpen(use, firstProcess, workspace);
    nextLook = performance.now() + REST * (performance.now() - start);
    return isOver(use, limit) || lost.bytes > UNEXPLAINED * limit.bytes || lost.files > UNEXPLAINED * limit.files;
  };
}

const isOver = (use: Use, limit: Use) => use.bytes > limit.bytes || use.files > limit.files;

function freeOf(path: string): Use {
  const { bavail, bsize, ffree } = statfsSync(path);
  return { bytes: bavail * bsize, files: ffree };
}

/** Null when the workspace is gone: whoever took it away while the command runs has ended what we look at. */
function freeNow(workspace: string): Use | null {
  try {
    return freeOf(workspace);
  } catch {
    return null;
  }
}

/** The memory of the sandbox's own file systems is sized in bytes, but an empty file takes some as well. */
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

/** What was made or changed since then; stops counting beyond `enough`. Follows no link. */
function writtenSince(directory: string, startedAt: number, enough: Use): Use {
  const use: Use = { bytes: 0, files: 0 };
  const pending = [Buffer.from(directory)];
  for (let next = pending.pop(); next !== undefined && !isOver(use, enough); next = pending.pop()) {
    for (const name of rawNamesIn(next)) {
      const path = Buffer.concat([next, SLASH, name]);
      const stats = statsOf(() => lstatSync(path));
      if (stats?.isDirectory()) pending.push(path);
      // The time of change is the kernel's: a program cannot set it back.
      if (stats && stats.ctimeMs >= startedAt - COARSE_MS) {
        use.bytes += stats.blocks * 512;
        use.files += 1;
      }
    }
  }
  return use;
}

/** Adds files that have no name any more and live on because a process of the command holds them open. */
function addHeldOpen(use: Use, firstProcess: number, workspace: string): void {
  const device = statsOf(() => lstatSync(workspace))?.dev;
  const namespace = linkOf(`/proc/${firstProcess}/ns/pid`);
  const seen = new Set<number>();
  for (const pid of namesIn("/proc").filter((name) => /^\d+$/.test(name))) {
    if (namespace === "" || linkOf(`/proc/${pid}/ns/pid`) !== namespace) continue;
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      const stats = statsOf(() => statSync(`/proc/${pid}/fd/${descriptor}`));
      if (!stats?.isFile() || stats.nlink > 0 || stats.dev !== device || seen.has(stats.ino)) continue;
      seen.add(stats.ino);
      use.bytes += stats.blocks * 512;
      use.files += 1;
    }
  }
}

/** The command may be deleting what we look at, have closed it to us, or have put it deeper than a path can say. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** A name need not be text. */
function rawNamesIn(directory: Buffer): Buffer[] {
  try {
    return readdirSync(directory, { encoding: "buffer" });
  } catch {
    return [];
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

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
