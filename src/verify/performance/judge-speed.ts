import type { SpeedReport, Spread } from "../../domain/evidence/speed.ts";
import type { BenchmarkRun } from "./run-benchmark.ts";

/** The same input before and after the change. */
export interface SpeedPair {
  size: number;
  seed: number;
  before: BenchmarkRun;
  after: BenchmarkRun;
}

/** Less than this may be the weather of the machine. */
const NOTICEABLE = 1.05;
/** What the work saves must show in the whole process, too: otherwise it was only done at another time. */
const SEEN_IN_TOTAL = 0.5;

type Judged = Omit<SpeedReport, "requirement" | "benchmark" | "asked">;

/** What pairs of runs say; the lower end of the interval decides, so that chance does not. */
export function judgeSpeed(pairs: SpeedPair[], asked: number | null): Judged {
  const told = pairs.map(({ size, seed, before, after }) => ({
    size,
    seed,
    beforeMs: before.workMs,
    afterMs: after.workMs,
  }));
  const bare = { factor: null, before: null, after: null, pairs: told };
  const broken = pairs.find(({ before, after }) => before.result === null || after.result === null);
  if (broken || pairs.length === 0) {
    const side = broken?.before.result === null ? "before the change" : "after the change";
    const problem = broken?.before.problem || broken?.after.problem || "nothing was run";
    return { ...bare, verdict: "broken", why: `the benchmark does not come to its end ${side}: ${problem}` };
  }
  const other = pairs.find(({ before, after }) => before.result !== after.result);
  if (other) return { ...bare, verdict: "different", why: "it gives another result than before for the same input" };
  const factor = spreadOf(pairs.map(({ before, after }) => ratio(before.workMs, after.workMs)));
  const figures = {
    factor,
    before: spreadOf(pairs.map(({ before }) => before.workMs)),
    after: spreadOf(pairs.map(({ after }) => after.workMs)),
    pairs: told,
  };
  if (factor.low < NOTICEABLE) return { ...figures, verdict: "not-faster", why: "that cannot be told from noise" };
  const saved = (of: (run: BenchmarkRun) => number) =>
    spreadOf(pairs.map(({ before, after }) => of(before) - of(after))).median;
  if (saved((run) => run.totalMs) < SEEN_IN_TOTAL * saved((run) => run.workMs)) {
    return { ...figures, verdict: "not-faster", why: "the program as a whole does not end sooner" };
  }
  if (asked !== null && factor.low < asked)
    return { ...figures, verdict: "too-little", why: `at least ${asked} × is asked for` };
  return { ...figures, verdict: "faster", why: "" };
}

/** A clock that has ten ticks in a millisecond says nothing of less. */
const ratio = (before: number, after: number): number => Math.max(before, 0.1) / Math.max(after, 0.1);

/**
 * The median, and the order statistics between which the true one lies: with five to eight values the outermost
 * (94 % and more), from nine on the next ones (96 % and more).
 */
export function spreadOf(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? 0;
  const middle = (sorted.length - 1) / 2;
  const outer = sorted.length >= 9 ? 1 : 0;
  const rounded = (value: number) => Math.round(value * 1000) / 1000;
  return {
    median: rounded((at(Math.floor(middle)) + at(Math.ceil(middle))) / 2),
    low: rounded(at(outer)),
    high: rounded(at(sorted.length - 1 - outer)),
  };
}
