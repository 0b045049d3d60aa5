import { fail } from "../domain/failure.ts";
import { decodeCommit, encodeCommit } from "./git-objects.ts";
import type { ObjectBatch, ObjectDatabase } from "./object-database.ts";
import { checkRefPart, type Refs } from "./repository.ts";
import { readParts } from "./tree.ts";

export interface BranchUpdate {
  task: string;
  /** A todo's id, or `result`. */
  todo: string;
  snapshot: string;
  message: string;
  /** The epoch of the claim under which the work was done. An update with an older one is refused. */
  epoch: number;
  /** Epoch milliseconds, from the journal's clock. */
  at: number;
  /** The snapshot that a new branch starts from, so that its first commit shows the change. */
  base?: string;
  /** What made it: agent versions, prompts. Keys look like `Prompt-Hash`. */
  trailers?: Record<string, string>;
}

export interface Branch {
  name: string;
  commit: string;
}

/** People see plain files: the tree of the commit holds the snapshot's files, its message names the snapshot. */
export function updateBranch(database: ObjectDatabase, refs: Refs, update: BranchUpdate): Branch {
  const name = `ai/generated/${checkRefPart(update.task)}/${checkRefPart(update.todo)}`;
  const ref = `refs/heads/${name}`;
  const head = refs.read(ref);
  const before = head === null ? null : decodeCommit(database.readAs("commit", head)).message;
  const epoch = before === null ? 0 : epochOf(before);
  if (epoch > update.epoch) {
    const message = `branch ${name} was moved under epoch ${epoch}; this work has epoch ${update.epoch} and lost its claim`;
    throw fail("policy", "epoch.stale", message);
  }
  const message = messageOf(update);
  // A step that runs again after a crash finds its own commit.
  if (head !== null && before?.trimEnd() === message.trimEnd()) return { name, commit: head };
  const batch = database.batch();
  const parent = head ?? (update.base === undefined ? null : putBase(database, batch, update, update.base));
  const tree = readParts(database, update.snapshot).files;
  const parents = parent === null ? [] : [parent];
  const commit = batch.put("commit", encodeCommit({ tree, parents, at: update.at, message }));
  batch.commit();
  refs.write(ref, commit);
  return { name, commit };
}

function putBase(database: ObjectDatabase, batch: ObjectBatch, update: BranchUpdate, snapshot: string): string {
  const message = `Start of ${update.task}\n\nMiracle-Snapshot: ${snapshot}\n`;
  const tree = readParts(database, snapshot).files;
  return batch.put("commit", encodeCommit({ tree, parents: [], at: update.at, message }));
}

function messageOf(update: BranchUpdate): string {
  const trailers = {
    "Miracle-Task": update.task,
    "Miracle-Todo": update.todo,
    "Miracle-Snapshot": update.snapshot,
    "Miracle-Epoch": String(update.epoch),
    ...update.trailers,
  };
  const lines = Object.entries(trailers).map(([key, value]) => `${key}: ${value.replaceAll(/\s+/g, " ")}`);
  return `${update.message.trim() || "Change"}\n\n${lines.join("\n")}\n`;
}

/** Of the claim under which a commit was made. */
export const epochOf = (message: string): number => Number(trailer(message, "Miracle-Epoch") ?? 0);

/** Our trailers are the last lines, so the text of the message cannot forge one. */
function trailer(message: string, key: string): string | null {
  const line = message.split("\n").findLast((candidate) => candidate.startsWith(`${key}: `));
  return line?.slice(key.length + 2) ?? null;
}
