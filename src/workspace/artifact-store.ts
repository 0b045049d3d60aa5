import { mkdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "../domain/failure.ts";
import { type Branch, type BranchUpdate, updateBranch } from "./branch.ts";
import { type OverlayFile, putOver, removePaths, takePathsFrom } from "./change-tree.ts";
import { type Change, changesBetween, findEntry } from "./changes.ts";
import { checkOut, type Owner } from "./checkout.ts";
import { contentsInto } from "./content-sink.ts";
import { git, STANDARD_PATH } from "./git.ts";
import { homeDirectory } from "./home-directory.ts";
import { readIgnoreFile } from "./left-out.ts";
import { type Merge, mergeTrees } from "./merge.ts";
import { type ObjectBatch, ObjectDatabase } from "./object-database.ts";
import type { RemoteAddress } from "./remote-address.ts";
import { createRepository, Refs } from "./repository.ts";
import { type ScanRules, scan } from "./scan.ts";
import { describeScan, putScan, type Snapshot } from "./snapshot.ts";
import type { StatCache } from "./stat-cache.ts";
import { type Entry, putTree, readModes, readParts, readTree, type Tree } from "./tree.ts";
import { branchRefs, snapshotOf, snapshotRef, snapshotRefs, wrapSnapshot } from "./tree-refs.ts";
import { TreeRemote } from "./tree-remote.ts";

export interface ArtifactStoreOptions {
  /** Flush every object to disk. It survives a power cut, and costs some milliseconds per snapshot. */
  durable?: boolean;
  /** Where to find git, for `diff`, `merge` and `collect`. Everything else works without it. */
  path?: string;
  maxFiles?: number;
  maxBytes?: number;
  /** Where other machines find the trees; absent: this is the only store, or all share it. */
  remote?: RemoteAddress;
}

export interface SnapshotOptions {
  /** The cache must belong to this directory. */
  cache?: StatCache;
  /** Directories that are not part of the tree here: mount points. */
  leaveOut?: string[];
}

/**
 * Every tree that a task ever had, in a bare git repository that real git can read. One id names a snapshot: its
 * contents, links, modes and empty directories. Equal trees have equal ids. A ref of the task keeps each snapshot.
 */
export class ArtifactStore {
  readonly gitDirectory: string;
  readonly #dataDirectory: string;
  readonly #objects: ObjectDatabase;
  readonly #refs: Refs;
  readonly #remote: TreeRemote | undefined;
  readonly #options: Required<Omit<ArtifactStoreOptions, "remote">>;

  /** Creates the repository if it does not exist. Several processes may have it open. */
  static open(dataDirectory: string, options: ArtifactStoreOptions = {}): ArtifactStore {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    return new ArtifactStore(realpathSync(dataDirectory), options);
  }

  private constructor(dataDirectory: string, options: ArtifactStoreOptions) {
    this.#dataDirectory = dataDirectory;
    this.gitDirectory = join(dataDirectory, "artifacts.git");
    createRepository(this.gitDirectory);
    this.#objects = new ObjectDatabase(this.gitDirectory, options.durable ?? false);
    this.#refs = new Refs(this.gitDirectory);
    this.#options = { durable: false, path: STANDARD_PATH, maxFiles: 100_000, maxBytes: 1e9, ...options };
    const { remote } = options;
    const { gitDirectory } = this;
    const { path } = this.#options;
    this.#remote = remote && new TreeRemote({ remote, objects: this.#objects, refs: this.#refs, gitDirectory, path });
  }

  /**
   * Imports the user's tree, uncommitted changes included. Refuses `/`, the home directory and trees that are too
   * large.
   */
  async importTree(task: string, directory: string, options: { home?: string } = {}): Promise<Snapshot> {
    const root = refuseWide(directory, options.home ?? homeDirectory());
    const ignored = readIgnoreFile(root);
    const rules = this.#rules(root, { markers: true, ignores: ignored });
    return this.#take(task, root, null, rules);
  }

  /** Snapshots a checkout. With a cache, only changed files are read. */
  async snapshot(task: string, directory: string, options: SnapshotOptions = {}): Promise<Snapshot> {
    return this.#take(task, directory, options.cache ?? null, this.#checkoutRules(directory, options));
  }

  /** Makes the directory equal to the snapshot: writes what differs, removes the rest, keeps dependency directories. */
  async checkout(id: string, directory: string, options: SnapshotOptions & { owner?: Owner } = {}): Promise<void> {
    const cache = cacheFor(options.cache ?? null, directory);
    const previous = cache?.root ?? null;
    if (cache) cache.root = null;
    const rules = { ...this.#checkoutRules(directory, options), maxFiles: Infinity, maxBytes: Infinity };
    const owner = options.owner ?? null;
    const root = await checkOut(this.#objects, this.tree(id), directory, { owner, previous, rules });
    if (cache) cache.root = root;
  }

  has(id: string): boolean {
    return this.#objects.has(id);
  }

  tree(id: string): Tree {
    return readTree(this.#objects, id);
  }

  /** Files and links, sorted by path. */
  list(id: string): Entry[] {
    return [...this.tree(id).entries.values()];
  }

  /** Null if the snapshot has no such file. The content of a link is its target. */
  readFile(id: string, path: string): Buffer | null {
    const parts = readParts(this.#objects, id);
    const entry = findEntry(this.#objects, parts.files, path, readModes(this.#objects, parts).modes);
    return entry && this.readBlob(entry.id);
  }

  readBlob(id: string): Buffer {
    return this.#objects.readAs("blob", id);
  }

  /** For content that may be large: it goes into an open file in pieces. */
  get objects(): ObjectDatabase {
    return this.#objects;
  }

  changes(from: string, to: string): Change[] {
    return changesBetween(this.#objects, from, to);
  }

  /** Unified, with renames; without any external program or text conversion. */
  async diff(from: string, to: string): Promise<string> {
    const [a, b] = [readParts(this.#objects, from).files, readParts(this.#objects, to).files];
    if (a === b) return "";
    const args = ["diff-tree", "-r", "-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv", a, b];
    return (await git(args, this.#git)).stdout.toString("utf8");
  }

  /** Puts these files over a snapshot. Refuses a path that a snapshot would leave out. */
  overlay(task: string, id: string, files: OverlayFile[]): string {
    return this.#derive(task, id, (tree, batch) => putOver(tree, files, batch));
  }

  /** The snapshot without these paths. A directory stands for everything below it. */
  withoutPaths(task: string, id: string, paths: string[]): string {
    return this.#derive(task, id, (tree) => removePaths(tree, paths));
  }

  /** The snapshot with these paths taken from another one. A path that the other one does not have is removed. */
  restore(task: string, id: string, from: string, paths: string[]): string {
    const before = this.tree(from);
    return this.#derive(task, id, (tree) => takePathsFrom(tree, before, paths));
  }

  /** A snapshot made from contents instead of a directory. */
  putTree(task: string, make: (put: (content: Buffer) => string) => Tree): string {
    const batch = this.#objects.batch();
    const id = putTree(
      batch,
      make((content) => batch.put("blob", content)),
    );
    batch.commit();
    this.keep(task, id);
    return id;
  }

  /** Three-way merge: the changes of both sides, or the paths where they conflict. */
  async merge(task: string, base: string, ours: string, theirs: string): Promise<Merge> {
    const batch = this.#objects.batch();
    try {
      const trees = { base: this.tree(base), ours: this.tree(ours), theirs: this.tree(theirs) };
      const merged = await mergeTrees(this.#objects, batch, trees, this.#git);
      if ("conflicts" in merged) return merged;
      const id = putTree(batch, merged.tree);
      batch.commit();
      this.keep(task, id);
      return { id };
    } finally {
      batch.abandon();
    }
  }

  /**
   * Sets branch `ai/generated/<task>/<todo>` to a commit of the plain files that names the snapshot. A second call
   * gives the same commit.
   */
  setBranch(update: BranchUpdate): Branch {
    const branch = updateBranch(this.#objects, this.#refs, update);
    this.#remote?.noteBranch(update.task, `refs/heads/${branch.name}`);
    return branch;
  }

  /** Refs keep objects alive: every snapshot gets one. */
  keep(task: string, id: string): void {
    this.#refs.ensure(snapshotRef(task, id), id);
    this.#remote?.noteSnapshot(task, id);
  }

  /** What was made of a task here can be had by others when this returns: at the remote, or else from here. */
  async send(task: string): Promise<void> {
    if (this.#remote) return this.#remote.send(task);
    let known: string | undefined;
    for (const { name } of this.#refs.list(snapshotRefs(task))) {
      known = wrapSnapshot(this.#objects, this.#refs, name, known);
    }
  }

  /** What the remote has of a task is here when this returns. Who moves its branches meanwhile takes the snapshots alone. */
  async receive(task: string, which: "all" | "snapshots" = "all"): Promise<void> {
    await this.#remote?.receive(task, which);
  }

  /** Keeps every tree of one task for another task, too: a fork outlives its parent. */
  keepAllOf(task: string, forTask: string): void {
    for (const { name } of this.#refs.list(snapshotRefs(task))) this.keep(forTask, snapshotOf(name));
  }

  branches(task: string): { name: string; id: string }[] {
    return this.#refs.list(branchRefs(task));
  }

  /** For `prune`: drops everything the task kept. `collect` then frees the space. */
  deleteRefs(task: string): void {
    this.#refs.deleteBelow(branchRefs(task));
    this.#refs.deleteBelow(snapshotRefs(task));
  }

  /**
   * Removes objects that no ref keeps. A snapshot that another process is making has no ref yet, so objects younger
   * than the grace period stay.
   */
  async collect(grace = "1.hour.ago"): Promise<void> {
    this.#objects.close();
    await git(["repack", "-A", "-d", "-q", `--unpack-unreachable=${grace}`], this.#git);
    await git(["prune", `--expire=${grace}`], this.#git);
    this.#objects.forget();
  }

  close(): void {
    this.#objects.close();
  }

  async #take(task: string, directory: string, given: StatCache | null, rules: ScanRules): Promise<Snapshot> {
    const cache = cacheFor(given, directory);
    const batch = this.#objects.batch();
    try {
      const root = await scan(directory, cache?.root ?? null, rules, contentsInto(batch));
      const id = putScan(batch, root);
      batch.commit();
      this.keep(task, id);
      // Not earlier: a cache must not name contents that the store does not have.
      if (cache) cache.root = root;
      return describeScan(id, root);
    } finally {
      batch.abandon();
    }
  }

  #derive(task: string, id: string, change: (tree: Tree, batch: ObjectBatch) => void): string {
    const batch = this.#objects.batch();
    const tree = this.tree(id);
    change(tree, batch);
    const derived = putTree(batch, tree);
    batch.commit();
    this.keep(task, derived);
    return derived;
  }

  #checkoutRules(directory: string, options: SnapshotOptions): ScanRules {
    const paths = new Set(options.leaveOut ?? []);
    return this.#rules(directory, { markers: false, ignores: paths.size > 0 ? (path) => paths.has(path) : null });
  }

  #rules(directory: string, given: { markers: boolean; ignores: ((path: string) => boolean) | null }): ScanRules {
    // A data directory inside the user's tree must not import itself.
    const root = directory.endsWith("/") ? directory : `${directory}/`;
    const inside = this.#dataDirectory.startsWith(root) ? this.#dataDirectory.slice(root.length) : null;
    const { maxFiles, maxBytes } = this.#options;
    const leaveOut = (path: string) => (path === inside ? "store" : given.ignores?.(path) ? "ignored" : null);
    const rules = { markers: given.markers, opens: !given.markers, maxFiles, maxBytes };
    return inside === null && given.ignores === null ? rules : { ...rules, leaveOut };
  }

  get #git() {
    return { gitDirectory: this.gitDirectory, path: this.#options.path };
  }
}

export type { Owner };

/** A cache of another directory is useless here. */
function cacheFor(cache: StatCache | null, directory: string): StatCache | null {
  if (cache && cache.directory !== directory)
    throw new Error(`the cache is of ${cache.directory}, not of ${directory}`);
  return cache;
}

function refuseWide(directory: string, home: string): string {
  let root: string;
  try {
    root = realpathSync(directory);
  } catch (cause) {
    throw fail("invalid-input", "workspace.refused", `${directory} cannot be opened: give a directory that exists`, {
      cause,
    });
  }
  const homeRoot = resolve(home);
  if (root === "/" || root === homeRoot || homeRoot.startsWith(`${root}/`)) {
    const what = root === homeRoot ? "your home directory" : root;
    const advice = "make a directory for the project and start there";
    throw fail("invalid-input", "workspace.refused", `${what} is too wide to work in: ${advice}`);
  }
  return root;
}
