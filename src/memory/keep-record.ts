import type { Transaction } from "kysely";
import type { Lesson } from "../domain/memory/lesson.ts";
import { audienceOf } from "../domain/memory/memory-record.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Tables } from "../store/tables.ts";
import type { FeatureWeights } from "./embed/feature-weights.ts";
import { entryOf, proseOf } from "./entry-of.ts";
import type { MemoryIndex, Vector } from "./memory-index.ts";
import { lessonRow, patternRow, toLesson, toPattern } from "./memory-rows.ts";

export interface Kept {
  record: Lesson | Pattern;
  /** False: the record was already known, and has occurred once more. */
  isNew: boolean;
}

export interface KeepParts {
  index: MemoryIndex;
  newId(): string;
  weights: FeatureWeights;
  /** The same occurrence was kept before. The new fields complete it, and it is not counted again. */
  completes: boolean;
}

/**
 * Keeps one record with its row and its entry, in the given transaction. A record with the same key is completed
 * instead.
 */
export async function keepRecord(
  tx: Transaction<Tables>,
  { index, newId, weights, completes }: KeepParts,
  record: Lesson | Pattern,
  vectors: readonly Vector[],
): Promise<Kept> {
  const table = record.kind === "lesson" ? "failures" : "patterns";
  const known = await tx
    .selectFrom(table)
    .selectAll()
    .where("audience", "=", audienceOf(record))
    .where("dedup_key", "=", record.dedupKey)
    .executeTakeFirst();
  const before = known === undefined ? null : "error_signature" in known ? toLesson(known) : toPattern(known);
  const merged = before === null ? await withFreeId(tx, newId, record) : merge(before, record, !completes);
  if (before === null) {
    if (merged.kind === "lesson") await tx.insertInto("failures").values(lessonRow(merged)).execute();
    else await tx.insertInto("patterns").values(patternRow(merged)).execute();
  } else if (merged.kind === "lesson")
    await tx.updateTable("failures").set(lessonRow(merged)).where("id", "=", merged.id).execute();
  else await tx.updateTable("patterns").set(patternRow(merged)).where("id", "=", merged.id).execute();
  // The record occurred again with nothing new to find it by. The entry stays, with the vectors that were not made
  // again.
  const isFoundAlready = before !== null && vectors.length === 0 && proseOf(before) === proseOf(merged);
  if (merged.status === "active" && !isFoundAlready) await index.add(tx, entryOf(merged, [weights], vectors));
  return { record: merged, isNew: before === null };
}

/** A failure without a fix helps nobody. */
export const saysSomething = (record: Lesson | Pattern): boolean =>
  record.kind === "pattern" || record.reason !== null || record.diff !== null;

async function withFreeId<R extends Lesson | Pattern>(
  tx: Transaction<Tables>,
  newId: () => string,
  record: R,
): Promise<R> {
  for (const table of ["failures", "patterns"] as const) {
    const taken = await tx.selectFrom(table).select("id").where("id", "=", record.id).executeTakeFirst();
    if (taken) return { ...record, id: newId() };
  }
  return record;
}

/** The known record, with the new fields: a fix beats none, and a newer fix beats an older one. */
function merge(known: Lesson | Pattern, met: Lesson | Pattern, again: boolean): Lesson | Pattern {
  const trust = Math.max(known.trust, met.trust);
  const updatedAt = met.updatedAt;
  if (known.kind === "lesson" && met.kind === "lesson") {
    const fixed = met.diff !== null || met.reason !== null;
    return {
      ...known,
      seen: known.seen + (again ? 1 : 0),
      trust,
      updatedAt,
      ...(fixed && {
        diff: met.diff ?? known.diff,
        reason: met.reason ?? known.reason,
        failedCode: met.failedCode ?? known.failedCode,
        origin: met.origin,
        task: met.task,
      }),
    };
  }
  return { ...known, trust, updatedAt };
}
