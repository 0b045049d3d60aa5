import { expect, test } from "vitest";
import type { Mutant, MutantReport, MutantResult } from "../../domain/evidence/mutant-report.ts";
import { showSurvivor, worthSharpening } from "./show-survivor.ts";

const CODE = "def fee(days):\n    if days < 0:\n        return 0\n    return days * 2\n";

const mutant = (number: number, line = 2): Mutant => ({
  id: `fees.py:${line}:${number}`,
  path: "fees.py",
  line,
  statement: { from: line, to: line },
  operator: "boundary",
  from: CODE.indexOf("<"),
  to: CODE.indexOf("<") + 1,
  replacement: "<=",
  description: "",
});
const survived = (one: Mutant, reason = ""): MutantResult => ({
  mutant: one,
  fate: "survived",
  killedBy: [],
  expectedBy: [],
  reason,
});
const report = (results: MutantResult[], problem: string | null = null): MutantReport => ({
  results,
  counts: { killed: 0, timedOut: 0, survived: results.length, compared: 0, notRun: 0, skipped: 0 },
  score: null,
  requirements: [],
  problem,
  durationMs: 1,
  testRunMs: 1,
  ratio: 1,
});

test("a survivor is shown by its own lines, and by nothing else of the code", () => {
  const { before, after } = showSurvivor(mutant(1), CODE);
  expect([before, after]).toEqual(["    if days < 0:", "    if days <= 0:"]);
});

test("survivors of different lines come first, eight at most; what no test runs is left out", () => {
  const first = Array.from({ length: 9 }, (_, index) => survived(mutant(index)));
  const ids = worthSharpening(report([...first, survived(mutant(20, 4)), survived(mutant(21, 9), "no test runs it")]));
  expect(ids.map(({ id }) => id).slice(0, 3)).toEqual(["fees.py:2:0", "fees.py:4:20", "fees.py:2:1"]);
  expect(ids).toHaveLength(8);
  expect(worthSharpening(report(first, "red without a mutant"))).toEqual([]);
  expect(worthSharpening(null)).toEqual([]);
});
