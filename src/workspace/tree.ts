import { fail } from "../domain/failure.ts";
import {
  compareBytes,
  DIRECTORY,
  decodeTree,
  EXECUTABLE,
  encodeTree,
  FILE,
  LINK,
  type TreeItem,
} from "./git-objects.ts";
import { isDotGit } from "./left-out.ts";
import { decodeManifest, encodeManifest, usualPermissions } from "./manifest.ts";
import type { ObjectBatch, ObjectDatabase } from "./object-database.ts";

/** One file or link of a snapshot. `id` is the git blob of its content, or of the link's target. */
export interface Entry {
  path: string;
  kind: "file" | "link";
  id: string;
  /** Permission bits such as 0o644. Those of a link do not count. */
  permissions: number;
}

/** A whole snapshot, flat. */
export interface Tree {
  entries: Map<string, Entry>;
  emptyDirectories: Set<string>;
}

/** The two parts that a snapshot's id covers. */
export interface SnapshotParts {
  files: string;
  manifest: string;
}

const FILES = "files";
const MANIFEST = "manifest.json";
const NO_MODES = new Map<string, number>();

export function readParts(database: ObjectDatabase, id: string): SnapshotParts {
  const items = decodeTree(database.readAs("tree", id));
  const part = (name: string) => items.find((item) => item.name === name)?.id;
  const files = part(FILES);
  const manifest = part(MANIFEST);
  if (items.length === 2 && files !== undefined && manifest !== undefined) return { files, manifest };
  throw fail("invalid-input", "artifact.unknown", `${id} is a git tree, but no snapshot`);
}

export function putParts(batch: ObjectBatch, parts: SnapshotParts): string {
  const items: TreeItem[] = [
    { name: FILES, mode: DIRECTORY, id: parts.files },
    { name: MANIFEST, mode: FILE, id: parts.manifest },
  ];
  return batch.put("tree", encodeTree(items));
}

export function readTree(database: ObjectDatabase, id: string): Tree {
  const parts = readParts(database, id);
  const manifest = readModes(database, parts);
  const entries = new Map<string, Entry>();
  for (const entry of readFiles(database, parts.files, "", manifest.modes)) entries.set(entry.path, entry);
  return { entries, emptyDirectories: new Set(manifest.emptyDirectories) };
}

/** Reads the manifest and checks its paths: like the names of a tree they end up in a file system. */
export function readModes(database: ObjectDatabase, parts: SnapshotParts) {
  const manifest = decodeManifest(database.readAs("blob", parts.manifest));
  const modes = manifest.modes.length === 0 ? NO_MODES : new Map<string, number>();
  for (const [path, octal] of manifest.modes) modes.set(path, Number.parseInt(octal, 8));
  for (const path of manifest.emptyDirectories) for (const name of path.split("/")) checkName(name);
  return { modes, emptyDirectories: manifest.emptyDirectories };
}

function* readFiles(
  database: ObjectDatabase,
  tree: string,
  prefix: string,
  modes: Map<string, number>,
): Generator<Entry> {
  for (const item of decodeTree(database.readAs("tree", tree))) {
    checkName(item.name);
    const path = prefix + item.name;
    if (item.mode === DIRECTORY) yield* readFiles(database, item.id, `${path}/`, modes);
    else yield toEntry(item, path, modes);
  }
}

export function toEntry(item: TreeItem, path: string, modes: Map<string, number>): Entry {
  if (item.mode !== FILE && item.mode !== EXECUTABLE && item.mode !== LINK) {
    throw fail(
      "environment",
      "artifact.damaged",
      `${path} has the mode ${item.mode.toString(8)}, which no snapshot has`,
    );
  }
  const kind = item.mode === LINK ? "link" : "file";
  return { path, kind, id: item.id, permissions: modes.get(path) ?? usualPermissions(item.mode) };
}

/** A tree from a remote is untrusted. No name may lead out of the checkout directory. */
export function checkName(name: string): void {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0") || isDotGit(name)) {
    throw fail("environment", "artifact.damaged", `a snapshot holds the impossible name ${JSON.stringify(name)}`);
  }
}

/** Stores a flat tree and returns the snapshot's id. The same tree always gets the same id. */
export function putTree(batch: ObjectBatch, tree: Tree): string {
  const modes: [string, number][] = [];
  const root = new Map<string, Branch>();
  for (const entry of tree.entries.values()) {
    const mode = gitMode(entry.kind, entry.permissions);
    if (entry.kind === "file" && usualPermissions(mode) !== entry.permissions)
      modes.push([entry.path, entry.permissions]);
    place(root, entry.path, { mode, id: entry.id });
  }
  // A directory is empty only if nothing was put into it meanwhile. It exists only if no file took its place.
  const parents = parentDirectories(tree.entries.keys());
  const isEmpty = (path: string) =>
    !parents.has(path) && ![path, ...parentDirectories([path])].some((above) => tree.entries.has(above));
  const empty = [...tree.emptyDirectories].filter(isEmpty);
  const manifest = batch.put("blob", encodeManifest(empty, modes));
  return putParts(batch, { files: putBranch(batch, root), manifest });
}

export const gitMode = (kind: "file" | "link", permissions: number): number =>
  kind === "link" ? LINK : permissions & 0o100 ? EXECUTABLE : FILE;

/** Every directory that one of the paths implies. */
export function parentDirectories(paths: Iterable<string>): Set<string> {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const parent = path.slice(0, at);
      if (parents.has(parent)) break;
      parents.add(parent);
    }
  }
  return parents;
}

export const compareByPath = (a: { path: string }, b: { path: string }): number => compareBytes(a.path, b.path);

type Branch = { mode: number; id: string } | Map<string, Branch>;

function place(root: Map<string, Branch>, path: string, leaf: Branch): void {
  const names = path.split("/");
  const last = names.pop() ?? "";
  let directory = root;
  for (const name of names) {
    const next = directory.get(name);
    if (next instanceof Map) {
      directory = next;
      continue;
    }
    const made = new Map<string, Branch>();
    directory.set(name, made);
    directory = made;
  }
  directory.set(last, leaf);
}

function putBranch(batch: ObjectBatch, branch: Map<string, Branch>): string {
  const items: TreeItem[] = [];
  for (const [name, child] of branch) {
    if (child instanceof Map) items.push({ name, mode: DIRECTORY, id: putBranch(batch, child) });
    else items.push({ name, ...child });
  }
  return batch.put("tree", encodeTree(items));
}
