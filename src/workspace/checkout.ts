import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  symlinkSync,
} from "node:fs";
import { Breather } from "./breather.ts";
import { hashOnly } from "./content-sink.ts";
import { errorCode } from "./error-code.ts";
import { objectId } from "./git-objects.ts";
import { copyBlob } from "./large-blob.ts";
import type { LeftOutReason } from "./left-out.ts";
import type { ObjectDatabase } from "./object-database.ts";
import { removeTree, removeUnnameable } from "./remove-tree.ts";
import { type ScanRules, scan } from "./scan.ts";
import { type DirectoryNode, type FileNode, newDirectoryNode, stampOf } from "./stat-cache.ts";
import { type Entry, parentDirectories, type Tree } from "./tree.ts";

export interface Owner {
  uid: number;
  gid: number;
}

/**
 * Makes a directory equal to a snapshot and returns what is known of it. Writes only differences, removes what is not
 * in the snapshot, keeps dependency directories, follows no link. Nothing else may write there meanwhile. After a crash
 * the next checkout finishes the work.
 */
export async function checkOut(
  database: ObjectDatabase,
  tree: Tree,
  directory: string,
  options: { owner: Owner | null; previous: DirectoryNode | null; rules: ScanRules },
): Promise<DirectoryNode> {
  const checkout = new Checkout(database, tree, directory, options.owner);
  checkout.prepareRoot();
  const current = await scan(directory, options.previous, options.rules, hashOnly(objectId));
  await checkout.removeOthers(current);
  await checkout.write();
  return checkout.settle();
}

class Checkout {
  readonly #database: ObjectDatabase;
  readonly #tree: Tree;
  readonly #root: string;
  readonly #owner: Owner | null;
  readonly #directories: Set<string>;
  readonly #present = new Set<string>();
  readonly #nodes = new Map<string, FileNode>();
  readonly #breather = new Breather();

  constructor(database: ObjectDatabase, tree: Tree, root: string, owner: Owner | null) {
    this.#database = database;
    this.#tree = tree;
    this.#root = root;
    this.#owner = owner;
    this.#directories = parentDirectories(tree.entries.keys());
    for (const path of tree.emptyDirectories) {
      this.#directories.add(path);
      for (const parent of parentDirectories([path])) this.#directories.add(parent);
    }
  }

  prepareRoot(): void {
    const stats = lstatSync(this.#root, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) removeTree(this.#root);
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    // Code that ran here may have removed even the owner's permissions.
    if (stats?.isDirectory() && (stats.mode & 0o700) !== 0o700) chmodSync(this.#root, stats.mode | 0o700);
    if (this.#owner) chownSync(this.#root, this.#owner.uid, this.#owner.gid);
  }

  async removeOthers(node: DirectoryNode, prefix = ""): Promise<void> {
    for (const [name, file] of node.files) {
      const path = prefix + name;
      const wanted = this.#tree.entries.get(path);
      if (wanted && wanted.id === file.id && wanted.kind === file.kind && sameMode(wanted, file))
        this.#nodes.set(path, file);
      else removeTree(this.#at(path));
    }
    if (node.leftOut.some(({ why }) => why === "name"))
      removeUnnameable(`${this.#root}/${prefix}`.replace(/\/$/, ""), this.#root);
    for (const { path, why } of node.leftOut) if (why !== "name" && !KEPT.has(why)) removeTree(this.#at(path));
    for (const [name, child] of node.directories) {
      const path = prefix + name;
      if (this.#breather.due) await this.#breather.breathe();
      this.#openUp(path);
      await this.removeOthers(child, `${path}/`);
      if (this.#directories.has(path)) this.#present.add(path);
      else this.#removeDirectory(path);
    }
  }

  async write(): Promise<void> {
    for (const path of [...this.#directories].sort()) if (!this.#present.has(path)) this.#makeDirectory(path);
    for (const entry of this.#tree.entries.values()) {
      if (this.#nodes.has(entry.path)) continue;
      this.#nodes.set(entry.path, await this.#writeEntry(entry));
      if (this.#breather.due) await this.#breather.breathe();
    }
  }

  /** The nodes of the current content: the next snapshot need not read any of it again. */
  settle(): DirectoryNode {
    const checkedAt = Date.now();
    const root = newDirectoryNode();
    const directoryAt = (path: string): DirectoryNode => {
      if (path === "") return root;
      const cut = path.lastIndexOf("/");
      const parent = directoryAt(path.slice(0, Math.max(cut, 0)));
      const name = path.slice(cut + 1);
      const found = parent.directories.get(name) ?? newDirectoryNode();
      parent.directories.set(name, found);
      return found;
    };
    for (const [path, node] of this.#nodes) {
      const cut = path.lastIndexOf("/");
      // Nobody else wrote here meanwhile, so our writes are the current content.
      const fresh = node.checkedAt === 0 ? { ...node, checkedAt } : node;
      directoryAt(path.slice(0, Math.max(cut, 0))).files.set(path.slice(cut + 1), fresh);
    }
    return root;
  }

  #openUp(path: string): void {
    const mode = lstatSync(this.#at(path)).mode & 0o777;
    if (mode !== 0o755) chmodSync(this.#at(path), 0o755);
  }

  #removeDirectory(path: string): void {
    if (this.#tree.entries.has(path)) {
      removeTree(this.#at(path));
      return;
    }
    try {
      rmdirSync(this.#at(path));
    } catch (error) {
      // A dependency directory below keeps its parent directories.
      const code = errorCode(error);
      if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "EBUSY" && code !== "ENOENT") throw error;
    }
  }

  #makeDirectory(path: string): void {
    const absolute = this.#at(path);
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) removeTree(absolute);
    if (!stats?.isDirectory()) mkdirSync(absolute);
    chmodSync(absolute, 0o755);
    if (this.#owner) chownSync(absolute, this.#owner.uid, this.#owner.gid);
  }

  async #writeEntry(entry: Entry): Promise<FileNode> {
    const absolute = this.#at(entry.path);
    if (entry.kind === "link") {
      const target = this.#database.readAs("blob", entry.id);
      symlinkSync(target, absolute);
      if (this.#owner) lchownSync(absolute, this.#owner.uid, this.#owner.gid);
      return this.#node(entry, lstatSync(absolute));
    }
    // Exclusive: the old entry is gone, and a link that appeared since is an error, not a way out of the directory.
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = openSync(absolute, flags, 0o600);
    try {
      await copyBlob(this.#database, entry.id, file);
      fchmodSync(file, entry.permissions);
      if (this.#owner) fchownSync(file, this.#owner.uid, this.#owner.gid);
      return this.#node(entry, fstatSync(file));
    } finally {
      closeSync(file);
    }
  }

  #node(entry: Entry, stats: Parameters<typeof stampOf>[0]): FileNode {
    return {
      kind: entry.kind,
      id: entry.id,
      permissions: entry.permissions,
      size: stats.size,
      stamp: stampOf(stats),
      checkedAt: 0,
      pointer: false,
      secret: false,
    };
  }

  #at(path: string): string {
    return `${this.#root}/${path}`;
  }
}

/** These must not be removed: they are mounted, installed, or named by the caller. */
const KEPT = new Set<LeftOutReason>(["dependencies", "ignored", "store"]);

const sameMode = (entry: Entry, file: FileNode): boolean =>
  entry.kind === "link" || entry.permissions === file.permissions;
