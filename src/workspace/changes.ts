import { DIRECTORY, decodeTree, type TreeItem } from "./git-objects.ts";
import type { ObjectDatabase } from "./object-database.ts";
import { checkName, compareByPath, type Entry, readModes, readParts, toEntry } from "./tree.ts";

export interface Change {
  path: string;
  change: "added" | "modified" | "deleted" | "mode";
  before: Entry | null;
  after: Entry | null;
}

/** The differences between two snapshots, by path. Equal subtrees are not read. */
export function changesBetween(database: ObjectDatabase, from: string, to: string): Change[] {
  if (from === to) return [];
  const before = readParts(database, from);
  const after = readParts(database, to);
  const modesBefore = readModes(database, before).modes;
  const modesAfter = readModes(database, after).modes;
  const found = new Map<string, Change>();

  const compare = (a: string | null, b: string | null, prefix: string): void => {
    if (a === b) return;
    const left = itemsOf(database, a);
    const right = itemsOf(database, b);
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      const path = prefix + name;
      const x = left.get(name);
      const y = right.get(name);
      if (x && y && x.id === y.id && x.mode === y.mode) continue;
      if (isDirectory(x) || isDirectory(y)) compare(treeId(x), treeId(y), `${path}/`);
      const old = x && !isDirectory(x) ? toEntry(x, path, modesBefore) : null;
      const now = y && !isDirectory(y) ? toEntry(y, path, modesAfter) : null;
      add(found, path, old, now);
    }
  };
  compare(before.files, after.files, "");

  // Only the manifests know unusual permissions, so these may differ although the trees are equal.
  const unusual = new Set([...modesBefore.keys(), ...modesAfter.keys()]);
  for (const path of unusual) {
    if (found.has(path) || modesBefore.get(path) === modesAfter.get(path)) continue;
    add(
      found,
      path,
      findEntry(database, before.files, path, modesBefore),
      findEntry(database, after.files, path, modesAfter),
    );
  }
  return [...found.values()].sort(compareByPath);
}

export function findEntry(
  database: ObjectDatabase,
  tree: string,
  path: string,
  modes: Map<string, number>,
): Entry | null {
  const names = path.split("/");
  const last = names.pop() ?? "";
  let current = tree;
  for (const name of names) {
    const item = itemsOf(database, current).get(name);
    if (!item || item.mode !== DIRECTORY) return null;
    current = item.id;
  }
  const item = itemsOf(database, current).get(last);
  return item && item.mode !== DIRECTORY ? toEntry(item, path, modes) : null;
}

function add(found: Map<string, Change>, path: string, before: Entry | null, after: Entry | null): void {
  if (!before && !after) return;
  if (!before) found.set(path, { path, change: "added", before, after });
  else if (!after) found.set(path, { path, change: "deleted", before, after });
  else if (before.id !== after.id || before.kind !== after.kind)
    found.set(path, { path, change: "modified", before, after });
  else if (before.permissions !== after.permissions) found.set(path, { path, change: "mode", before, after });
}

function itemsOf(database: ObjectDatabase, tree: string | null): Map<string, TreeItem> {
  const items = new Map<string, TreeItem>();
  if (tree === null) return items;
  for (const item of decodeTree(database.readAs("tree", tree))) {
    checkName(item.name);
    items.set(item.name, item);
  }
  return items;
}

const isDirectory = (item: TreeItem | undefined): boolean => item?.mode === DIRECTORY;
const treeId = (item: TreeItem | undefined): string | null => (item && isDirectory(item) ? item.id : null);
