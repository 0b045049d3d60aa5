import type { Span } from "../live/task-story.ts";

/** A pause longer than this is drawn as if it took this long: nobody wants to look at a night of waiting. */
const LONGEST_PAUSE_MS = 5000;

export interface WorkingTime {
  /** Milliseconds of work until this moment. */
  at(moment: number): number;
  total: number;
}

/** The hours in which something was done, put together. */
export function workingTime(spans: readonly Pick<Span, "from" | "to">[]): WorkingTime {
  const periods: { from: number; to: number; start: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = periods.at(-1);
    if (last && from <= last.to + LONGEST_PAUSE_MS) last.to = Math.max(last.to, to);
    else {
      const start = last ? last.start + (last.to - last.from) + LONGEST_PAUSE_MS : 0;
      periods.push({ from, to, start });
    }
  }
  const last = periods.at(-1);
  return {
    total: last ? last.start + (last.to - last.from) : 0,
    at: (moment) => {
      const period = periods.findLast(({ from }) => from <= moment);
      return period ? period.start + Math.min(moment - period.from, period.to - period.from) : 0;
    },
  };
}
