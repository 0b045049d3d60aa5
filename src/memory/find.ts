import type { Embedder } from "./embed/embedder.ts";
import type { FeatureWeights } from "./embed/feature-weights.ts";
import { besideOf, embedHashed, familyOf, featureOf, HASHED_LIKELY, type Hashable, namesOf } from "./embed/hashed.ts";
import { dot } from "./embed/unit-length.ts";
import { fuse } from "./fuse.ts";
import type { IndexFilter, IndexHit, MemoryIndex, Vector } from "./memory-index.ts";
import type { Signature } from "./signature/signature.ts";
import { withPairs, wordsOf } from "./words.ts";

/** A record that was found, with the reasons. */
export interface Found {
  id: string;
  /** The score of the fusion, which decides the order. */
  score: number;
  /** The cosine; null if the record has no vector of this model. */
  similarity: number | null;
  /** Ranks from 1 in the two rankings; null if the record is not among the best of that ranking. */
  byVector: number | null;
  byWords: number | null;
  /** Near enough for a place in a prompt. Records below that are only for people who search. */
  isLikely: boolean;
}

/** How a sentence model reads the query. The model is loaded only if there is something to compare with. */
export interface Meaning {
  model: string;
  read(): Promise<Vector | null>;
}

/** What is known of all records together. */
export interface Known {
  weights: FeatureWeights;
  total: number;
}

/** How many hits each ranking contributes. Deeper ranks do not change the best few. */
const DEPTH = 40;
/** Only the rarest words of an error are used: common ones cost the most time and tell the least. */
const QUERY_WORDS = 64;
const FEWEST_WORDS = 3;
const MOST_OCCURRENCES = 2_000;
/** None of the three is best on every set of errors (evals/retrieval), so all count the same. */
const WEIGHTS = { error: { vector: 1, words: 1, meaning: 1 }, prose: { vector: 1, words: 0.3, meaning: 0 } };

/**
 * Finds errors by their signature: hashed features and full text. If a sentence model has read the query (`meaning`),
 * the hits are also ranked by what the error says: one cause may show in two errors that share few words.
 */
export async function findByError(
  index: MemoryIndex,
  signature: Signature,
  meaning: Meaning | null,
  known: Known,
  filter: IndexFilter,
  limit: number,
): Promise<Found[]> {
  const vector = embedHashed(signature, known.weights);
  const words = rarest(searchWords(signature), known);
  return find(index, {
    vector,
    words,
    filter,
    limit,
    // Records that share few words may share the meaning, so a low cosine alone excludes nothing.
    threshold: null,
    likely: HASHED_LIKELY,
    share: WEIGHTS.error,
    meaning,
  });
}

/** Finds prose by a sentence model and by full text. */
export async function findByProse(
  index: MemoryIndex,
  text: string,
  embedder: Embedder | null,
  known: Known,
  filter: IndexFilter,
  limit: number,
): Promise<Found[]> {
  const words = rarest(wordsOf(text), known);
  const [vector] = embedder === null ? [] : await embedder.embed([text]);
  if (!vector || embedder === null) return byWordsAlone(await index.search(words, filter, limit));
  const { threshold } = embedder;
  return find(index, { vector, words, filter, limit, threshold, likely: threshold, share: WEIGHTS.prose });
}

const byWordsAlone = (hits: readonly IndexHit[]): Found[] =>
  hits.map(({ id, score }, place) => ({
    id,
    score,
    similarity: null,
    byVector: null,
    byWords: place + 1,
    isLikely: true,
  }));

/**
 * The words by which full text finds a signature: the words of the error lines with their pairs, and every other word
 * once. Nobody can list which words belong to a library or a project, so rarity decides.
 */
export function searchWords(signature: Hashable): string[] {
  const lines = signature.lines.filter(({ role }) => role === "error").map(({ text }) => text);
  const type = signature.errorType === "unknown" ? [] : [signature.errorType];
  const family = familyOf(signature.language ?? "");
  const words = [...type, ...lines].flatMap((line) => withPairs(wordsOf(line)));
  const beside = new Set([...namesOf(signature), ...besideOf(signature)]);
  for (const word of words) beside.delete(word);
  // It looks like a pair, so its feature tells how common it is: nearly a whole memory may be of one language.
  return [...words, ...beside, ...(family === "" ? [] : [`family_${family}`])];
}

interface Query {
  vector: Vector;
  words: string[];
  filter: IndexFilter;
  limit: number;
  /** The lowest cosine; null for no limit. */
  threshold: number | null;
  likely: number;
  share: { vector: number; words: number; meaning: number };
  meaning?: Meaning | null;
}

async function find(index: MemoryIndex, query: Query): Promise<Found[]> {
  const { vector, words, filter, limit, threshold, likely, share, meaning } = query;
  const near = await index.nearest(vector, filter, DEPTH);
  const shared = await index.search(words, filter, DEPTH);
  const similarity = new Map(near.map(({ id, score }) => [id, score]));
  const unknown = shared.filter(({ id }) => !similarity.has(id)).map(({ id }) => id);
  for (const { id, score } of await index.similarities(vector, unknown)) similarity.set(id, score);
  const fused = fuse([
    { hits: near, weight: share.vector },
    { hits: shared, weight: share.words },
    { hits: meaning ? await byMeaning(index, meaning, [...similarity.keys()]) : [], weight: share.meaning },
  ]);
  return fused
    .filter(({ id }) => threshold === null || (similarity.get(id) ?? 0) >= threshold)
    .slice(0, limit)
    .map(({ id, score }) => ({
      id,
      score,
      similarity: similarity.get(id) ?? null,
      byVector: place(near, id),
      byWords: place(shared, id),
      isLikely: (similarity.get(id) ?? 0) >= likely,
    }));
}

/** Records that no model has read get an average rank, so they move neither up nor down. */
async function byMeaning(index: MemoryIndex, meaning: Meaning, ids: readonly string[]): Promise<IndexHit[]> {
  const stored = ids.length < 2 ? [] : await index.vectors([meaning.model], ids);
  const sought = stored.length === 0 ? null : await meaning.read();
  if (sought === null) return [];
  const read = new Map(stored.map(({ id, vector }) => [id, dot(sought.values, vector.values)]));
  const middling = [...read.values()].reduce((sum, score) => sum + score, 0) / read.size;
  const hits = ids.map((id) => ({ id, score: read.get(id) ?? middling }));
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, DEPTH);
}

function place(hits: readonly IndexHit[], id: string): number | null {
  const at = hits.findIndex((hit) => hit.id === id);
  return at < 0 ? null : at + 1;
}

/**
 * The rarest words, up to those that together occur in a few thousand records. Full text reads every one of these
 * records, and a word in a tenth of all records tells little. In a small memory all words are used.
 */
function rarest(words: readonly string[], { weights, total }: Known): string[] {
  const unique = [...new Set(words)];
  if (weights.records === 0) return unique.slice(0, QUERY_WORDS);
  const counted = unique.map((word) => ({ word, share: weights.share(featureOf(word.replace("_", " "))) }));
  counted.sort((a, b) => a.share - b.share);
  let occurrences = 0;
  const kept = counted.filter(({ share }, at) => {
    occurrences += share * total;
    return at < FEWEST_WORDS || (at < QUERY_WORDS && occurrences <= MOST_OCCURRENCES);
  });
  return kept.map(({ word }) => word);
}
