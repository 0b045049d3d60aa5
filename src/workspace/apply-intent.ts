import { z } from "zod";
import { changesBetween } from "./changes.ts";
import type { ObjectDatabase } from "./object-database.ts";
import { type Entry, parentDirectories, readTree, type Tree } from "./tree.ts";

/** What is at a path. Content is a git blob id; the content of a link is its target. */
export const FileState = z.lazy(() =>
  z.object({
    kind: z.enum(["file", "link"]),
    id: z.string().regex(/^[0-9a-f]{40}$/),
    permissions: z.int().min(0).max(0o777),
  }),
);
export type FileState = z.infer<typeof FileState>;

export const FileChange = z.lazy(() =>
  z.object({
    path: z.string(),
    /** Null: nothing is there. */
    before: FileState.nullable(),
    after: FileState.nullable(),
  }),
);
export type FileChange = z.infer<typeof FileChange>;

/**
 * All changes that applying a result makes to the user's directory. It is recorded before the first write, and is
 * enough to complete or undo an apply that was cut off.
 */
export const ApplyIntent = z.lazy(() =>
  z.object({
    version: z.literal(1),
    base: z.string(),
    result: z.string(),
    changes: z.array(FileChange),
    /** Parents first. */
    newDirectories: z.array(z.string()),
    /** Children first. A directory is removed only if it is empty. */
    goneDirectories: z.array(z.string()),
  }),
);
export type ApplyIntent = z.infer<typeof ApplyIntent>;

export function intentBetween(database: ObjectDatabase, base: string, result: string): ApplyIntent {
  const changes = changesBetween(database, base, result).map(
    ({ path, before, after }): FileChange => ({ path, before: stateOf(before), after: stateOf(after) }),
  );
  const before = directoriesOf(readTree(database, base));
  const after = directoriesOf(readTree(database, result));
  return {
    version: 1,
    base,
    result,
    changes,
    newDirectories: [...after].filter((path) => !before.has(path)).sort(),
    goneDirectories: [...before]
      .filter((path) => !after.has(path))
      .sort()
      .reverse(),
  };
}

/** The intent that undoes this one. */
export function reverseIntent(intent: ApplyIntent): ApplyIntent {
  return {
    version: 1,
    base: intent.result,
    result: intent.base,
    changes: intent.changes.map(({ path, before, after }) => ({ path, before: after, after: before })),
    newDirectories: [...intent.goneDirectories].reverse(),
    goneDirectories: [...intent.newDirectories].reverse(),
  };
}

export function sameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.id === b.id && (a.kind === "link" || a.permissions === b.permissions);
}

const stateOf = (entry: Entry | null): FileState | null =>
  entry && { kind: entry.kind, id: entry.id, permissions: entry.permissions };

function directoriesOf(tree: Tree): Set<string> {
  const empty = [...tree.emptyDirectories];
  return new Set([...parentDirectories(tree.entries.keys()), ...parentDirectories(empty), ...empty]);
}
