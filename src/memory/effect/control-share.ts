import type { Effect } from "./effect.ts";
import type { Rate } from "./interval.ts";
import type { Usual } from "./usual.ts";

/** Even the worst record is still shown to some tasks. Otherwise nothing more would be learnt about it. */
const LARGEST_SHARE = 0.98;
/** A little more careful than the odds: a missed lesson costs less than a misleading one. */
const CAUTION = 1.5;
/**
 * How many tries the usual rate of this memory counts for. Few where the record was shown, because records are good or
 * bad and seldom average. More where it was held back, because then the record does not matter.
 */
const USUAL_COUNTS = { shown: 1, heldBack: 8 };

/**
 * The share of tasks that a record is held back from. It is the usual share, until a failure suggests that the record
 * does harm. From then on it is the likelihood of harm, so that the effect is known sooner and the harm is smaller. The
 * tasks are still drawn at random, so that tasks with and without the record stay comparable. A share of 0 means no
 * controls.
 */
export function controlShare({ shown, heldBack, status }: Effect, share: number, usual: Usual): number {
  if (share === 0 || status !== "active" || shown.tries === 0) return share;
  const harm = chanceBelow(
    belief(shown, usual.shown, USUAL_COUNTS.shown),
    belief(heldBack, usual.heldBack, USUAL_COUNTS.heldBack),
  );
  return harm <= 1 / 2 ? share : Math.max(share, Math.min(1 - (1 - harm) ** CAUTION, LARGEST_SHARE));
}

/** An estimate of a true rate. */
export interface Belief {
  mean: number;
  variance: number;
}

/**
 * The estimate after some tries. Before them the usual rate counts, which itself is drawn towards a half while it is
 * unknown.
 */
export function belief({ tries, wins }: Rate, usual: Rate, counts: number): Belief {
  const expected = (usual.wins + 1) / (usual.tries + 2);
  const all = tries + counts;
  const mean = (wins + counts * expected) / all;
  return { mean, variance: (mean * (1 - mean)) / (all + 1) };
}

/** The likelihood that one rate is below the other: the difference of two estimates, taken as normal. */
export function chanceBelow(a: Belief, b: Belief): number {
  return normal((b.mean - a.mean) / Math.sqrt(a.variance + b.variance));
}

/** The share of a normal distribution below z (Abramowitz and Stegun 26.2.17: right to seven digits). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z > 0 ? 1 - tail : tail;
}
