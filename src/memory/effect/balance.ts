import { effectOf, type Use } from "./effect.ts";
import { type Interval, type Rate, Z } from "./interval.ts";
import { sumOf } from "./usual.ts";

/** The cost and the benefit of memory as a whole. */
export interface Balance {
  /** Records that were found at least once. */
  records: number;
  /** Pairs of a task and a record that was found for it; how many were shown, and how many held back. */
  uses: number;
  shown: Rate;
  heldBack: Rate;
  /**
   * How much more often an iteration is won with a record than without. Each record is compared only with itself. Null
   * while nothing can be compared.
   */
  uplift: number | null;
  interval: Interval | null;
  /** Tokens of records in prompts. */
  spent: number;
  /** Tokens of the iterations that were not needed: at the uplift, and at both ends of its interval. */
  saved: { likely: number; low: number; high: number } | null;
}

/** An iteration that is won through a record saves at least one more iteration. Exactly one is counted as saved. */
export function balanceOf(uses: readonly Use[], tokensPerIteration: number): Balance {
  const byRecord = Map.groupBy(uses, ({ record }) => record);
  const effects = [...byRecord.values()].map((ofOne) => effectOf(ofOne));
  const shown = sumOf(effects.map((effect) => effect.shown));
  const heldBack = sumOf(effects.map((effect) => effect.heldBack));
  const pooled = pooledDifference(effects.map((effect) => [effect.shown, effect.heldBack]));
  const saved = (uplift: number) => Math.round(uplift * shown.tries * tokensPerIteration);
  return {
    records: effects.length,
    uses: shown.tries + heldBack.tries,
    shown,
    heldBack,
    uplift: pooled?.difference ?? null,
    interval: pooled?.interval ?? null,
    spent: uses.reduce((total, use) => total + (use.shown ? use.tokens : 0), 0),
    saved: pooled && {
      likely: saved(pooled.difference),
      low: saved(pooled.interval.low),
      high: saved(pooled.interval.high),
    },
  };
}

/**
 * The common difference of all pairs (Mantel and Haenszel), with Sato's variance, which also holds for many pairs of
 * few tries. A plain sum would mistake records of easy errors for good ones.
 */
export function pooledDifference(
  pairs: readonly (readonly [Rate, Rate])[],
): { difference: number; interval: Interval } | null {
  let weights = 0;
  let weighted = 0;
  let p = 0;
  let q = 0;
  for (const [a, b] of pairs) {
    const all = a.tries + b.tries;
    if (a.tries === 0 || b.tries === 0) continue;
    weights += (a.tries * b.tries) / all;
    weighted += (a.wins * b.tries - b.wins * a.tries) / all;
    p += (a.tries ** 2 * b.wins - b.tries ** 2 * a.wins + (a.tries * b.tries * (b.tries - a.tries)) / 2) / all ** 2;
    q += (a.wins * (b.tries - b.wins) + b.wins * (a.tries - a.wins)) / (2 * all);
  }
  if (weights === 0) return null;
  const difference = weighted / weights;
  const half = Z * Math.sqrt(Math.max(0, difference * p + q) / weights ** 2);
  return {
    difference,
    interval: { low: Math.max(-1, difference - half), high: Math.min(1, difference + half) },
  };
}
