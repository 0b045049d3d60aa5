import { encodeCommit } from "./git-objects.ts";
import type { ObjectDatabase } from "./object-database.ts";
import { checkRefPart, type Refs } from "./repository.ts";

/** Below it, each snapshot of a task has a ref that keeps it. */
export const snapshotRefs = (task: string): string => `refs/miracle/${checkRefPart(task)}`;

/** The name says which snapshot it is. The value is the snapshot, or a commit of it that can travel. */
export const snapshotRef = (task: string, id: string): string => `${snapshotRefs(task)}/${id}`;

/** Below it, each todo of a task has a branch. */
export const branchRefs = (task: string): string => `refs/heads/ai/generated/${checkRefPart(task)}`;

/** Of a ref's name. */
export const snapshotOf = (name: string): string => name.slice(-40);

/**
 * Makes a snapshot's ref point to a commit of it: by commits git finds out what the other side has already. The first one
 * of a task has no parent, so that it is the same everywhere. Answers the commit.
 */
export function wrapSnapshot(objects: ObjectDatabase, refs: Refs, name: string, parent: string | undefined): string {
  const tree = snapshotOf(name);
  const present = refs.read(name);
  if (present !== null && present !== tree) return present;
  const batch = objects.batch();
  const parents = parent === undefined ? [] : [parent];
  const commit = batch.put("commit", encodeCommit({ tree, parents, at: 0, message: "Snapshot" }));
  batch.commit();
  refs.write(name, commit);
  return commit;
}
