import type { Lesson } from "../domain/memory/lesson.ts";
import type { Pattern } from "../domain/memory/pattern.ts";
import type { Store } from "../store/store.ts";
import { proseOf } from "./entry-of.ts";
import { type Found, findByProse, type Known } from "./find.ts";
import type { IndexFilter, MemoryIndex } from "./memory-index.ts";
import { newestRecords } from "./unread-records.ts";
import { wordsOf } from "./words.ts";

/**
 * Full text finds lessons by their errors, not by the work they are about. So the newest lessons are compared directly.
 */
const NEWEST = 100;
/** This share of the shorter text must be in the other, and more than one word: many texts share a single word. */
const LEAST_SHARED = 0.4;
const FEWEST_SHARED = 2;
const LONG = 4;

/**
 * Finds prose by its words, without a model. It finds less than a model does, in a few milliseconds. Only likely
 * records are returned.
 */
export async function findAtOnce(
  { store, index }: { store: Store; index: MemoryIndex },
  text: string,
  known: Known,
  filter: IndexFilter,
  limit: number,
  get: (ids: string[]) => Promise<(Lesson | Pattern)[]>,
): Promise<(Found & { record: Lesson | Pattern })[]> {
  const candidates =
    filter.kind === "lesson"
      ? await newestRecords(store.read, filter, NEWEST)
      : await get((await findByProse(index, text, null, known, filter, 3 * limit)).map(({ id }) => id));
  const sought = longWords(text);
  const alike = candidates.map((record) => ({ record, score: likeness(sought, longWords(proseOf(record))) }));
  return alike
    .filter(({ score }) => score >= LEAST_SHARED)
    .sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1))
    .slice(0, limit)
    .map(({ record, score }, place) => ({
      id: record.id,
      record,
      score,
      similarity: null,
      byVector: null,
      byWords: place + 1,
      isLikely: true,
    }));
}

const longWords = (text: string): Set<string> => new Set(wordsOf(text).filter((word) => word.length >= LONG));

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared < FEWEST_SHARED ? 0 : shared / Math.min(a.size, b.size);
}
