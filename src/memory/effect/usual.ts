import { effectOf, type Use } from "./effect.ts";
import type { Rate } from "./interval.ts";

/** How often iterations are won in this memory as a whole: with a record shown, and with it held back. */
export interface Usual {
  shown: Rate;
  heldBack: Rate;
}

export const NOTHING_USUAL: Usual = { shown: { tries: 0, wins: 0 }, heldBack: { tries: 0, wins: 0 } };

/** Counted like every effect: each task once for each record. */
export function usualOf(uses: readonly Use[]): Usual {
  const effects = [...Map.groupBy(uses, ({ record }) => record).values()].map((ofOne) => effectOf(ofOne));
  return { shown: sumOf(effects.map(({ shown }) => shown)), heldBack: sumOf(effects.map(({ heldBack }) => heldBack)) };
}

export function sumOf(rates: readonly Rate[]): Rate {
  return rates.reduce((total, { tries, wins }) => ({ tries: total.tries + tries, wins: total.wins + wins }), {
    tries: 0,
    wins: 0,
  });
}
