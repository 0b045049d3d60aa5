import type { Lesson } from "../domain/memory/lesson.ts";
import { audienceOf } from "../domain/memory/memory-record.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { FeatureWeights } from "./embed/feature-weights.ts";
import { countedOf, embedHashed } from "./embed/hashed.ts";
import { searchWords } from "./find.ts";
import type { IndexEntry, Vector } from "./memory-index.ts";
import { type Signature, signatureOf } from "./signature/signature.ts";
import { wordsOf } from "./words.ts";

/** The index entry of a record, with the current weights and the vectors of a sentence model. */
export function entryOf(
  record: Lesson | Pattern,
  weights: readonly FeatureWeights[],
  vectors: readonly Vector[],
): IndexEntry {
  const shared = { id: record.id, kind: record.kind, audience: audienceOf(record) };
  if (record.kind === "pattern") return { ...shared, words: wordsOf(proseOf(record)).join(" "), vectors: [...vectors] };
  const signature = signatureOfLesson(record);
  const hashed = weights.map((version) => embedHashed(signature, version));
  return { ...shared, words: searchWords(signature).join(" "), vectors: [...hashed, ...vectors] };
}

/** The prose of a record, which a sentence model reads. */
export function proseOf(record: Lesson | Pattern): string {
  const parts = record.kind === "lesson" ? [record.reason, record.goal] : [record.problemType, record.description];
  return parts.filter((part) => part !== null && part !== "").join("\n");
}

export const featureSet = (lesson: Lesson): Set<number> => countedOf(signatureOfLesson(lesson));

const signatureOfLesson = (lesson: Lesson): Signature => signatureOf(lesson.error, lesson.language);
