import type { Effect } from "./effect.ts";
import type { Rate } from "./interval.ts";
import type { Usual } from "./usual.ts";

/** Even the worst is still shown to some, or nothing more would be learnt of it. */
const LARGEST_SHARE = 0.98;
/** A little more careful than the odds: a lesson that is missed costs less than one that leads astray. */
const CAUTION = 1.5;
/**
 * For how many tries of its own what is usual in this memory counts. Little where the record was shown, because records are
 * good or bad, seldom middling; more where it was not, because then it is not the record that decides.
 */
const USUAL_COUNTS = { shown: 1, heldBack: 8 };

/**
 * From which share of tasks a record is held back. The usual one; but from the first failure on that looks as if the record did
 * harm, as large a share as that is likely: what it does is known sooner, and it does less of it meanwhile. Which tasks these
 * are is still drawn, so that those with and without it stay comparable. A share of 0 asks for no controls at all.
 */
export function controlShare({ shown, heldBack, status }: Effect, share: number, usual: Usual): number {
  if (share === 0 || status !== "active" || shown.tries === 0) return share;
  const harm = chanceBelow(
    belief(shown, usual.shown, USUAL_COUNTS.shown),
    belief(heldBack, usual.heldBack, USUAL_COUNTS.heldBack),
  );
  return harm <= 1 / 2 ? share : Math.max(share, Math.min(1 - (1 - harm) ** CAUTION, LARGEST_SHARE));
}

/** What is believed of a true rate. */
export interface Belief {
  mean: number;
  variance: number;
}

/** After some tries; before them, what is usual, and that itself is drawn towards a half while nothing is known of it. */
export function belief({ tries, wins }: Rate, usual: Rate, counts: number): Belief {
  const expected = (usual.wins + 1) / (usual.tries + 2);
  const all = tries + counts;
  const mean = (wins + counts * expected) / all;
  return { mean, variance: (mean * (1 - mean)) / (all + 1) };
}

/** How likely the one rate is below the other: the difference of two beliefs, taken as normal. */
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
