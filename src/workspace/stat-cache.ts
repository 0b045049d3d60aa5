import type { Stats } from "node:fs";
import type { LeftOut } from "./left-out.ts";

/**
 * What is known of one directory since its last scan or checkout, so that the next scan reads only changes. It is in
 * memory, one per directory. Losing it costs time, never correctness.
 */
export class StatCache {
  readonly directory: string;
  /** Set only if every content it names is in the artifact store. */
  root: DirectoryNode | null = null;

  constructor(directory: string) {
    this.directory = directory;
  }
}

/** A file as it was when its content was last read. */
export interface FileNode {
  kind: "file" | "link";
  id: string;
  permissions: number;
  size: number;
  stamp: Stamp;
  /** Epoch milliseconds, taken before the content was read. */
  checkedAt: number;
  /** The content stands for other content elsewhere, as in a pointer file. */
  pointer: boolean;
  secret: boolean;
}

export interface DirectoryNode {
  files: Map<string, FileNode>;
  directories: Map<string, DirectoryNode>;
  /** Git tree of the files below; null if unknown. */
  tree: string | null;
  fileCount: number;
  bytes: number;
  /** No empty directory and no unusual mode below, so the manifest needs nothing from here. */
  plain: boolean;
  leftOut: LeftOut[];
  /** Its `.git` is a directory (`repository`) or a file that points elsewhere (`submodule`). */
  nested: "repository" | "submodule" | null;
}

interface Stamp {
  /**
   * Epoch milliseconds with fractions. The resolution is a quarter of a microsecond, far finer than the kernel's tick.
   */
  mtime: number;
  ctime: number;
  inode: number;
  size: number;
  mode: number;
}

export const newDirectoryNode = (): DirectoryNode => ({
  files: new Map(),
  directories: new Map(),
  tree: null,
  fileCount: 0,
  bytes: 0,
  plain: true,
  leftOut: [],
  nested: null,
});

/**
 * The node of last time, if the file cannot have changed since. As in git's index, a file that was very new then is
 * read again.
 */
export function trusted(before: FileNode | undefined, stats: Stats): FileNode | null {
  if (!before || !sameStamp(before.stamp, stats)) return null;
  return stats.ctimeMs < before.checkedAt - granularity(stats.ctimeMs) ? before : null;
}

/** File systems with times in whole seconds need a larger distance than those with the kernel's tick. */
function granularity(ctime: number): number {
  return ctime % 1000 === 0 ? 2100 : 50;
}

export const stampOf = (stats: Stats): Stamp => ({
  mtime: stats.mtimeMs,
  ctime: stats.ctimeMs,
  inode: stats.ino,
  size: stats.size,
  mode: stats.mode,
});

const sameStamp = (a: Stamp, b: Stats): boolean =>
  a.ctime === b.ctimeMs && a.mtime === b.mtimeMs && a.inode === b.ino && a.size === b.size && a.mode === b.mode;
