import { z } from "zod";

/** A figure of several runs: the middle one, and between which two the true middle lies. */
export const Spread = z.object({ median: z.number(), low: z.number(), high: z.number() });
export type Spread = z.infer<typeof Spread>;

/**
 * What a measurement says of a requirement about speed. `faster`: outside of noise, and as much as is asked for.
 * `too-little`: faster, but not by as much. `not-faster`: it cannot be told from noise. `different`: the result is another
 * one than before. `broken`: the benchmark did not come to its end. `not-measured`: there is none.
 */
const SpeedVerdict = z.enum(["faster", "too-little", "not-faster", "different", "broken", "not-measured"]);

/** A benchmark on the project before and after the change, in turn, each time in a fresh process on another input. */
export const SpeedReport = z.lazy(() =>
  z.object({
    requirement: z.string(),
    /** Null where there is none. */
    benchmark: z.string().nullable(),
    verdict: SpeedVerdict,
    /** One line. */
    why: z.string(),
    /** How many times as fast it is at least to be; null: faster at all. */
    asked: z.number().nullable(),
    /** How many times as fast it is, of pairs on the same input. */
    factor: Spread.nullable(),
    /** Milliseconds of the work alone. */
    before: Spread.nullable(),
    after: Spread.nullable(),
    pairs: z.array(z.object({ size: z.int(), seed: z.int(), beforeMs: z.number(), afterMs: z.number() })),
  }),
);
export type SpeedReport = z.infer<typeof SpeedReport>;

/** Whether a measurement shows every one of these requirements. */
export const allFaster = (reports: SpeedReport[], requirements: string[]): boolean =>
  requirements.length > 0 &&
  requirements.every((id) => reports.some(({ requirement, verdict }) => requirement === id && verdict === "faster"));

/** Measured, and not what was asked for. */
export const fallsShort = ({ verdict }: SpeedReport): boolean => verdict !== "faster" && verdict !== "not-measured";

/** `3.1 × as fast (2.8 to 3.4), 410 ms before, 132 ms now`. */
export function describeSpeed({ factor, before, after, why, verdict }: SpeedReport): string {
  if (!factor || !before || !after) return why;
  const times = `${figure(factor.median)} × as fast (${figure(factor.low)} to ${figure(factor.high)})`;
  const told = `${times}, ${milliseconds(before)} before, ${milliseconds(after)} now`;
  return verdict === "faster" ? told : `${told}: ${why}`;
}

const figure = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const milliseconds = ({ median, low, high }: Spread): string =>
  `${median.toFixed(0)} ms (${low.toFixed(0)} to ${high.toFixed(0)})`;
