import type { MemoryStatus } from "../../domain/memory/memory-record.ts";
import { differenceInterval, type Interval, likelyDifference, type Rate } from "./interval.ts";

/**
 * One time that a record was found for an iteration: whether it was shown or held back as a control, and how the
 * iteration ended.
 */
export interface Use {
  record: string;
  task: string;
  iteration: number;
  shown: boolean;
  /** The iteration turned green. */
  won: boolean;
  /** Tokens of the record in the prompt. For a record that was held back: what it would have taken. */
  tokens: number;
  at: number;
}

/** The effect of a record on the tasks it reached. */
export interface Effect {
  /** Tasks for which it was found; how many saw it, and from how many it was held back. */
  uses: number;
  shown: Rate;
  heldBack: Rate;
  /** Wins of the tasks that saw it. */
  wins: number;
  /** How much more often tasks win with it than without, drawn towards zero while there is little evidence. */
  uplift: number;
  /** The 90 % interval of the true difference. */
  interval: Interval;
  /** From 1 down to 0: the weight of the record in a ranking. It falls with each use that had no effect. */
  weight: number;
  status: MemoryStatus;
}

/** With fewer uses a record is not judged. */
export const FEWEST_USES = 8;
/** A smaller uplift counts as no effect: it would not pay for its own tokens. */
const LEAST_UPLIFT = 0.05;
/** This many uses without an effect halve the weight of a record. */
const HALF_LIFE = 16;
/** At this weight the record is not worth its place any more. It is reached after 56 uses. */
const LEAST_WEIGHT = 1 / 8;

/**
 * The effect of one record. It does not depend on the order of its uses.
 *
 * Invariants:
 * 1. One task counts once, by the first iteration that the record was found for. Later iterations of the same task
 * depend on that one.
 * 2. A record is quarantined only with `FEWEST_USES` uses, some of them held back, and an interval wholly below zero.
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

/**
 * If two todos count their iterations alike, the earlier use counts. At the same moment, the use that says less for the
 * record counts.
 */
function comesBefore(a: Use, b: Use): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.iteration !== b.iteration) return a.iteration < b.iteration;
  return a.won !== b.won ? !a.won : Number(a.shown) < Number(b.shown);
}

function rateOf(uses: readonly Use[]): Rate {
  return { tries: uses.length, wins: uses.filter(({ won }) => won).length };
}
