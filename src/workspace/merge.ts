import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GitRun, git } from "./git.ts";
import type { ObjectBatch, ObjectDatabase } from "./object-database.ts";
import { compareByPath, type Entry, parentDirectories, type Tree } from "./tree.ts";

export type Merge = { id: string } | { conflicts: string[] };

interface Sides {
  base: Tree;
  ours: Tree;
  theirs: Tree;
}

/** Merges path by path. Only a file that both sides edited needs git, to merge its lines. */
export async function mergeTrees(
  database: ObjectDatabase,
  batch: ObjectBatch,
  sides: Sides,
  run: GitRun,
): Promise<{ tree: Tree } | { conflicts: string[] }> {
  const merged = new Map<string, Entry>();
  const conflicts: string[] = [];
  const paths = new Set([...sides.ours.entries.keys(), ...sides.theirs.entries.keys()]);
  for (const path of paths) {
    const base = sides.base.entries.get(path);
    const ours = sides.ours.entries.get(path);
    const theirs = sides.theirs.entries.get(path);
    const choice = choose(base, ours, theirs);
    if (choice === "both") {
      const entry = await mergeContents(database, batch, { base, ours, theirs }, run);
      if (entry) merged.set(path, entry);
      else conflicts.push(path);
    } else if (choice) {
      merged.set(path, choice);
    }
  }
  // A file of one side is a directory of the other side.
  const parents = parentDirectories(merged.keys());
  for (const path of merged.keys()) if (parents.has(path)) conflicts.push(path);
  if (conflicts.length > 0) return { conflicts: conflicts.sort() };
  const entries = new Map([...merged.values()].sort(compareByPath).map((entry) => [entry.path, entry]));
  const { base, ours, theirs } = sides;
  const keep = (path: string) =>
    base.emptyDirectories.has(path) ? ours.emptyDirectories.has(path) && theirs.emptyDirectories.has(path) : true;
  const emptyDirectories = new Set([...ours.emptyDirectories, ...theirs.emptyDirectories].filter(keep));
  return { tree: { entries, emptyDirectories } };
}

function choose(base?: Entry, ours?: Entry, theirs?: Entry): Entry | undefined | "both" {
  if (same(ours, theirs)) return ours;
  if (same(base, ours)) return theirs;
  if (same(base, theirs)) return ours;
  return "both";
}

const same = (a?: Entry, b?: Entry): boolean =>
  a === b || (!!a && !!b && a.id === b.id && a.kind === b.kind && a.permissions === b.permissions);

/** Null: a conflict. Conflicts are: deleted on one side and edited on the other, links, and binary files. */
async function mergeContents(
  database: ObjectDatabase,
  batch: ObjectBatch,
  { base, ours, theirs }: { base?: Entry; ours?: Entry; theirs?: Entry },
  run: GitRun,
): Promise<Entry | null> {
  if (!base || !ours || !theirs) return null;
  if (base.kind === "link" || ours.kind === "link" || theirs.kind === "link") return null;
  const permissions = base.permissions === ours.permissions ? theirs.permissions : ours.permissions;
  const bothModes = base.permissions !== ours.permissions && base.permissions !== theirs.permissions;
  if (bothModes && ours.permissions !== theirs.permissions) return null;
  if (ours.id === theirs.id || theirs.id === base.id) return { ...ours, permissions };
  if (ours.id === base.id) return { ...theirs, permissions };
  const directory = mkdtempSync(join(run.gitDirectory, "merge-"));
  try {
    const files = Object.entries({ ours, base, theirs }).map(([side, entry]) => {
      const path = join(directory, side);
      writeFileSync(path, database.readAs("blob", entry.id));
      return path;
    });
    // 1 to 127: that many conflicts. Above: the file cannot be merged, for example because it is binary.
    const { exitCode, stdout } = await git(["merge-file", "-p", "-q", ...files], { ...run, answers: () => true });
    return exitCode === 0 ? { ...ours, permissions, id: batch.put("blob", stdout) } : null;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
