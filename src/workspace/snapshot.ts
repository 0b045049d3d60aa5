import type { LeftOut } from "./left-out.ts";
import { encodeManifest } from "./manifest.ts";
import type { ObjectBatch } from "./object-database.ts";
import type { DirectoryNode } from "./stat-cache.ts";
import { compareByPath, putParts } from "./tree.ts";

/** A note for readers of a snapshot: content that is absent, or not what it seems. */
interface Note {
  path: string;
  what: "lfs-pointer" | "submodule" | "nested-repository";
}

export interface Snapshot {
  /** Covers contents, links, modes and empty directories: equal trees have equal ids. */
  id: string;
  files: number;
  bytes: number;
  leftOut: LeftOut[];
  notes: Note[];
  /** The sorted paths of its files and links. They come from the scan, so the store is not read. */
  paths(): string[];
}

/** Stores the manifest and the wrapper of a scanned directory. Its trees are already in the batch. */
export function putScan(batch: ObjectBatch, root: DirectoryNode): string {
  const emptyDirectories: string[] = [];
  const modes: [string, number][] = [];
  collectUnusual(root, "", emptyDirectories, modes);
  const manifest = batch.put("blob", encodeManifest(emptyDirectories, modes));
  if (root.tree === null) throw new Error("a scanned directory has no tree");
  return putParts(batch, { files: root.tree, manifest });
}

function collectUnusual(node: DirectoryNode, prefix: string, empty: string[], modes: [string, number][]): void {
  if (node.plain) return;
  for (const [name, file] of node.files) {
    const usual = file.permissions === 0o644 || file.permissions === 0o755;
    if (file.kind === "file" && !file.secret && !usual) modes.push([prefix + name, file.permissions]);
  }
  for (const [name, child] of node.directories) {
    // For nested empty directories, naming the innermost one is enough.
    if (child.fileCount === 0 && child.directories.size === 0) empty.push(prefix + name);
    else collectUnusual(child, `${prefix}${name}/`, empty, modes);
  }
}

export function describeScan(id: string, root: DirectoryNode): Snapshot {
  const paths = () => [...pathsOf(root, "")].sort();
  const snapshot: Snapshot = { id, files: root.fileCount, bytes: root.bytes, leftOut: [], notes: [], paths };
  describe(root, "", snapshot);
  snapshot.leftOut.sort(compareByPath);
  snapshot.notes.sort(compareByPath);
  return snapshot;
}

function describe(node: DirectoryNode, path: string, snapshot: Snapshot): void {
  // Nobody needs to be told that git's own directory is left out.
  for (const left of node.leftOut) if (left.why !== "git") snapshot.leftOut.push(left);
  if (node.nested === "repository") snapshot.notes.push({ path, what: "nested-repository" });
  if (node.nested === "submodule") snapshot.notes.push({ path, what: "submodule" });
  const prefix = path === "" ? "" : `${path}/`;
  for (const [name, file] of node.files) {
    if (file.pointer) snapshot.notes.push({ path: prefix + name, what: "lfs-pointer" });
  }
  for (const [name, child] of node.directories) describe(child, prefix + name, snapshot);
}

function* pathsOf(node: DirectoryNode, prefix: string): Generator<string> {
  for (const [name, file] of node.files) if (!file.secret) yield prefix + name;
  for (const [name, child] of node.directories) yield* pathsOf(child, `${prefix}${name}/`);
}
