import type { Vector } from "../memory-index.ts";
import type { Signature } from "../signature/signature.ts";
import { KIND, wordsOf } from "../words.ts";
import type { FeatureWeights } from "./feature-weights.ts";
import { toUnitLength } from "./unit-length.ts";

const HASHED_DIMENSIONS = 1024;
/**
 * From this cosine on, the same cause is more likely than another. Chosen on the tuning half of evals/retrieval: of
 * errors whose cause memory does not know, a fifth still find a lesson of another cause.
 */
export const HASHED_LIKELY = 0.48;

const hashedModel = (version: number): string => `hashed-${HASHED_DIMENSIONS}.${version}`;

/** The parts of a signature that are hashed. */
export type Hashable = Pick<Signature, "lines" | "errorType"> & Partial<Pick<Signature, "language" | "words">>;

/** Two languages of one family share their libraries, and so their errors. */
export const familyOf = (language: string): string => (language === "typescript" ? "javascript" : language);

/**
 * The features of a signature, with their amounts: words, pairs of words, and pieces of words, so that
 * `ConnectionError` and `ConnectionRefusedError` are similar. Lines that say what went wrong count more than the frames
 * that led there.
 */
function featuresOf(signature: Hashable): Map<number, number> {
  const features = new Map<number, number>();
  const add = (text: string, amount: number) => {
    const feature = hash(text);
    features.set(feature, (features.get(feature) ?? 0) + amount);
  };
  if (signature.errorType !== "unknown") add(`type ${signature.errorType}`, WEIGHT.type);
  const family = familyOf(signature.language ?? "");
  if (family !== "") add(`family ${family}`, WEIGHT.family);
  for (const name of namesOf(signature)) add(name, WEIGHT.name);
  for (const { role, text } of signature.lines) {
    const weight = WEIGHT[role];
    let before = "";
    for (const word of wordsOf(text)) {
      add(word, weight);
      if (before !== "") add(`${before} ${word}`, weight * WEIGHT.pair);
      before = word;
      if (word.length > PIECE && !word.startsWith(KIND)) {
        const framed = `^${word}$`;
        for (let at = 0; at + PIECE <= framed.length; at += 1)
          add(`#${framed.slice(at, at + PIECE)}`, weight * WEIGHT.piece);
      }
    }
  }
  return features;
}

/**
 * Words that were replaced by kinds. A name of one project occurs nowhere else and weighs nothing. A name of a library
 * occurs again, and nobody can list those.
 */
export function namesOf({ lines }: Hashable): string[] {
  const names = new Set<string>();
  for (const { role, text, said } of lines) {
    if (role !== "error" || said === undefined) continue;
    const kept = new Set(wordsOf(text));
    for (const word of wordsOf(said)) if (isName(word) && !kept.has(word)) names.add(word);
  }
  return [...names].slice(0, MOST_NAMES);
}

const MOST_NAMES = 40;
/** Numbers may hold letters. But the status of a server's answer is a name: 404, 503. */
const NUMBER = /^(?![45]\d\d$)\d|^[0-9a-f]{8,}$/;

const isName = (word: string): boolean => word.length > 1 && !NUMBER.test(word);

/**
 * Words of the text outside of the lines that say what went wrong. Only full text uses them: in a vector, the names of
 * one project would make all of its errors similar.
 */
export function besideOf({ lines, words = [] }: Hashable): string[] {
  const said = new Set(lines.flatMap(({ role, text }) => (role === "error" ? wordsOf(text) : [])));
  return words.filter((word) => isName(word) && !said.has(word));
}

/** Everything in a signature whose rarity is counted, including what only full text uses. */
export const countedOf = (signature: Hashable): Set<number> =>
  new Set([...featuresOf(signature).keys(), ...besideOf(signature).map(hash)]);

/** Chosen on the tuning halves of evals/retrieval. */
const PIECE = 5;
const WEIGHT = { error: 1, frame: 0.4, code: 0.4, type: 3, family: 3, pair: 0.3, piece: 0.5, name: 0.4 };

/**
 * Each feature adds its weight, with a sign, to one dimension. Collisions cancel out on average. How rare a feature is
 * here decides nothing: in a cause that nobody has met yet, the rarest words are names of one project (decision 0092).
 */
export function embedHashed(signature: Hashable, weights: FeatureWeights): Vector {
  const values = new Float32Array(HASHED_DIMENSIONS);
  for (const [feature, amount] of featuresOf(signature)) {
    const weight = Math.sqrt(amount);
    const dimension = (feature >>> 15) & (HASHED_DIMENSIONS - 1);
    values[dimension] = (values[dimension] ?? 0) + (feature >>> 31 === 0 ? weight : -weight);
  }
  return { model: hashedModel(weights.version), values: toUnitLength(values) };
}

/** The feature of one word, to look up its rarity. */
export const featureOf = (word: string): number => hash(word);

/** FNV-1a with a final mixing, so that every bit depends on every character. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
