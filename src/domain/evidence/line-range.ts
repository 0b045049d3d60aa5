import { z } from "zod";

/** Lines of a file, counted from 1, both ends included. */
export const LineRange = z.object({ from: z.int().positive(), to: z.int().positive() });
export type LineRange = z.infer<typeof LineRange>;

export const hasLine = (ranges: readonly LineRange[], line: number): boolean =>
  ranges.some(({ from, to }) => from <= line && line <= to);

/** The fewest ranges that hold exactly these lines. */
export function toRanges(lines: Iterable<number>): LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges;
}

/** As a person reads it: `12–14, 20`. */
export const describeLines = (ranges: readonly LineRange[]): string =>
  ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
