import { z } from "zod";
import { toRanges } from "../../domain/evidence/line-range.ts";
import type { RunLines } from "../../languages/language.ts";

/** Some runners know a line 0. Nobody writes files of so many lines: a made-up range must not take all memory. */
const Line = z.int().nonnegative().max(1_000_000);

/** Lines of one file that the same tests run; tests by their place in the list. */
const WatchedFile = z.object({
  path: z.string(),
  tests: z.array(z.string()),
  runs: z.array(z.object({ lines: z.array(z.tuple([Line, Line])), tests: z.array(z.int().nonnegative()) })),
});

/** Which lines each test runs, short enough to be kept: most lines of a file are run by the same tests as others. */
export const RecordedLines = z.codec(z.array(WatchedFile), z.map(z.string(), z.map(z.int(), z.set(z.string()))), {
  decode: (files): RunLines => new Map(files.map((file) => [file.path, decoded(file)])),
  encode: (lines) => [...lines].map(([path, known]) => encoded(path, known)),
});

type Known = Map<number, Set<string>>;

function encoded(path: string, known: Known): z.infer<typeof WatchedFile> {
  const tests = [...new Set([...known.values()].flatMap((names) => [...names]))].sort();
  const places = new Map(tests.map((name, index) => [name, index]));
  const numbers = (names: Set<string>) => [...names].map((name) => places.get(name) ?? 0).sort((a, b) => a - b);
  const groups = Map.groupBy(known, ([, names]) => numbers(names).join(" "));
  const runs = [...groups.values()].map((own) => ({
    lines: toRanges(own.map(([line]) => line)).map(({ from, to }): [number, number] => [from, to]),
    tests: numbers(own[0]?.[1] ?? new Set()),
  }));
  return { path, tests, runs };
}

function decoded({ tests, runs }: z.infer<typeof WatchedFile>): Known {
  const known: Known = new Map();
  for (const run of runs) {
    const names = run.tests.flatMap((place) => tests[place] ?? []);
    for (const [from, to] of run.lines) for (let line = from; line <= to; line += 1) known.set(line, new Set(names));
  }
  return known;
}
