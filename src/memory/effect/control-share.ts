import type { Effect } from "./effect.ts";
import type { Rate } from "./interval.ts";

/** Nobody is suspected before so many that saw it … */
const FEWEST_SHOWN = 2;
/** … and even the worst is still shown to some, or nothing more would be learnt of it. */
const LARGEST_SHARE = 0.9;

/**
 * From which share of tasks a record is held back. The usual one; but while it looks as if it did harm, as large a share as
 * that is likely: what it does is known sooner, and it does less of it meanwhile. Which tasks these are is still drawn, so
 * that those with and without it stay comparable. A share of 0 asks for no controls at all.
 */
export function controlShare({ shown, heldBack, status }: Effect, usual: number): number {
  if (usual === 0 || status !== "active" || shown.tries < FEWEST_SHOWN) return usual;
  const harm = chanceOfLess(shown, heldBack);
  return harm <= 1 / 2 ? usual : Math.max(usual, Math.min(harm, LARGEST_SHARE));
}

/** How likely the true rate of a is below that of b, when nothing is known of either beforehand (both uniform). */
export function chanceOfLess(a: Rate, b: Rate): number {
  const [winsA, lossesA] = [a.wins + 1, a.tries - a.wins + 1];
  const [winsB, lossesB] = [b.wins + 1, b.tries - b.wins + 1];
  let chance = 0;
  for (let at = 0; at < winsB; at += 1) {
    const term = logBeta(winsA + at, lossesA + lossesB) - logBeta(1 + at, lossesB) - logBeta(winsA, lossesA);
    chance += Math.exp(term) / (lossesB + at);
  }
  return Math.min(1, chance);
}

const logBeta = (a: number, b: number): number => logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

function logFactorial(number: number): number {
  let sum = 0;
  for (let factor = 2; factor <= number; factor += 1) sum += Math.log(factor);
  return sum;
}
