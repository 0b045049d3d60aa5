import type { MemoryStatus } from "../../domain/memory/memory-record.ts";
import { differenceInterval, type Interval, likelyDifference, type Rate } from "./interval.ts";

/** Once that a record was found for an iteration: shown to it, or held back as a control, and how the iteration ended. */
export interface Use {
  record: string;
  task: string;
  iteration: number;
  shown: boolean;
  /** The iteration turned green. */
  won: boolean;
  /** What the record takes up in the prompt; of one that was held back, what it would have. */
  tokens: number;
  at: number;
}

/** What a record has done so far for the tasks it reached. */
export interface Effect {
  /** Tasks for which it was found; of these shown, and held back. */
  uses: number;
  shown: Rate;
  heldBack: Rate;
  /** Of those that saw it. */
  wins: number;
  /** By how much more often it is won with it than without, drawn towards none while there is little to tell it by. */
  uplift: number;
  /** Where the true difference lies, nine times of ten. */
  interval: Interval;
  /** From 1 down to 0: what its place in a ranking is worth after all the uses that it did nothing for. */
  weight: number;
  /** What has become of it. */
  status: MemoryStatus;
}

/** Fewer uses judge nothing. */
export const FEWEST_USES = 8;
/** Less than this is no effect: it would not pay for its own tokens. */
const LEAST_UPLIFT = 0.05;
/** So many uses without an effect halve what a record is worth … */
const HALF_LIFE = 16;
/** … and at this it is not worth its place any more: after 56 uses. */
const LEAST_WEIGHT = 1 / 8;

/**
 * The effect of one record, whatever the order of its uses.
 *
 * Invariants:
 * 1. One task counts once, by the first iteration that the record was found for: what follows in the same task depends on it.
 * 2. Quarantined only with `FEWEST_USES` uses, some of them held back, and an interval wholly below zero.
 * 3. A proven effect (an interval wholly above zero) never decays.
 */
export function effectOf(uses: readonly Use[]): Effect {
  const first = firstOfEachTask(uses);
  const shown = rateOf(first.filter((use) => use.shown));
  const heldBack = rateOf(first.filter((use) => !use.shown));
  const uplift = likelyDifference(shown, heldBack);
  const interval = differenceInterval(shown, heldBack);
  const isJudged = first.length >= FEWEST_USES;
  const isIdle = isJudged && interval.low <= 0 && uplift < LEAST_UPLIFT;
  const weight = isIdle ? 2 ** (-(first.length - FEWEST_USES) / HALF_LIFE) : 1;
  const harms = isJudged && interval.high < 0;
  const status = harms ? "quarantined" : weight <= LEAST_WEIGHT ? "pruned" : "active";
  return { uses: first.length, shown, heldBack, wins: shown.wins, uplift, interval, weight, status };
}

function firstOfEachTask(uses: readonly Use[]): Use[] {
  const first = new Map<string, Use>();
  for (const use of uses) {
    const known = first.get(use.task);
    if (known === undefined || comesBefore(use, known)) first.set(use.task, use);
  }
  return [...first.values()];
}

/** Of two todos that count their iterations alike, the earlier one; at the same moment, the one that says less for the record. */
function comesBefore(a: Use, b: Use): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.iteration !== b.iteration) return a.iteration < b.iteration;
  return a.won !== b.won ? !a.won : Number(a.shown) < Number(b.shown);
}

function rateOf(uses: readonly Use[]): Rate {
  return { tries: uses.length, wins: uses.filter(({ won }) => won).length };
}
