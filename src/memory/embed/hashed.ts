import type { Vector } from "../memory-index.ts";
import type { Signature } from "../signature/signature.ts";
import { KIND, wordsOf } from "../words.ts";
import type { FeatureWeights } from "./feature-weights.ts";
import { toUnitLength } from "./unit-length.ts";

export const HASHED_DIMENSIONS = 1024;
/** Below this, what two errors share is what all errors share. Chosen on the tuning half of evals/retrieval. */
export const HASHED_THRESHOLD = 0.05;
/**
 * From here on it is more likely the same cause than not. Chosen on the tuning half of evals/retrieval: of errors whose cause
 * memory does not know, a fifth (two fifths before weights are learnt) find a lesson of another cause all the same.
 */
export const hashedLikely = (weights: FeatureWeights): number => (weights.version === 0 ? 0.4 : 0.3);

export const hashedModel = (version: number): string => `hashed-${HASHED_DIMENSIONS}.${version}`;

/**
 * The features of a signature and how much of each: words, pairs of words, and pieces of words, so that
 * `ConnectionError` and `ConnectionRefusedError` are alike. Lines that say what went wrong count more than the way there.
 */
export function featuresOf(signature: Pick<Signature, "lines" | "errorType">): Map<number, number> {
  const features = new Map<number, number>();
  const add = (text: string, amount: number) => {
    const feature = hash(text);
    features.set(feature, (features.get(feature) ?? 0) + amount);
  };
  if (signature.errorType !== "unknown") add(`type ${signature.errorType}`, WEIGHT.type);
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

/** Chosen on the tuning half of evals/retrieval. */
const PIECE = 5;
const WEIGHT = { error: 1, frame: 0.4, code: 0.4, type: 3, pair: 0.3, piece: 0.5 };

/** Each feature adds its weight, with a sign, to one dimension: collisions cancel out on average. */
export function embedHashed(signature: Pick<Signature, "lines" | "errorType">, weights: FeatureWeights): Vector {
  const values = new Float32Array(HASHED_DIMENSIONS);
  for (const [feature, amount] of featuresOf(signature)) {
    const weight = Math.sqrt(amount) * weights.of(feature);
    const dimension = (feature >>> 15) & (HASHED_DIMENSIONS - 1);
    values[dimension] = (values[dimension] ?? 0) + (feature >>> 31 === 0 ? weight : -weight);
  }
  return { model: hashedModel(weights.version), values: toUnitLength(values) };
}

/** The feature of one word, to know how rare it is. */
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
