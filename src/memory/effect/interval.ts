/** A number of tries, and how many of them were won. */
export interface Rate {
  tries: number;
  wins: number;
}

export interface Interval {
  low: number;
  high: number;
}

/**
 * For a 90 % interval: the truth lies outside one time of twenty on either side. The decision is whether a record harms.
 * A mistake about a record without effect costs nothing, and a helpful record is hardly ever mistaken for a harmful
 * one.
 */
export const Z = 1.644854;

/** Wilson's score interval, which is sound for few tries and at 0 and 1. Without tries it is the whole range. */
export function wilson({ tries, wins }: Rate, z = Z): Interval {
  if (tries <= 0) return { low: 0, high: 1 };
  const rate = wins / tries;
  const square = z * z;
  const middle = (rate + square / (2 * tries)) / (1 + square / tries);
  const half = (z / (1 + square / tries)) * Math.sqrt((rate * (1 - rate)) / tries + square / (4 * tries * tries));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Newcombe's interval of the difference of two rates, a − b, made from the Wilson interval of each. */
export function differenceInterval(a: Rate, b: Rate, z = Z): Interval {
  if (a.tries <= 0 || b.tries <= 0) return { low: -1, high: 1 };
  const [rateA, rateB] = [a.wins / a.tries, b.wins / b.tries];
  const [ofA, ofB] = [wilson(a, z), wilson(b, z)];
  const difference = rateA - rateB;
  return {
    low: Math.max(-1, difference - Math.hypot(rateA - ofA.low, ofB.high - rateB)),
    high: Math.min(1, difference + Math.hypot(ofA.high - rateA, rateB - ofB.low)),
  };
}

/** The difference of two rates, a − b, drawn towards zero while there is little evidence (Agresti and Caffo). */
export const likelyDifference = (a: Rate, b: Rate): number =>
  (a.wins + 1) / (a.tries + 2) - (b.wins + 1) / (b.tries + 2);
