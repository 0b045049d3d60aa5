import { expect, test } from "vitest";
import type { MutantFate } from "../../src/domain/evidence/mutant-report.ts";
import { lineNotes } from "./line-notes.ts";

const mutant = (line: number, fate: MutantFate, killedBy: string[] = []) => ({
  mutant: {
    id: `a.py:${line}`,
    path: "a.py",
    line,
    statement: { from: line, to: line },
    operator: "boundary" as const,
    from: 0,
    to: 1,
    replacement: "<=",
    description: "a < b → a <= b",
  },
  fate,
  killedBy,
  expectedBy: [],
  reason: "",
});

const mutants = {
  results: [mutant(1, "killed", ["test_a"]), mutant(1, "survived"), mutant(2, "skipped")],
  counts: { killed: 1, timedOut: 0, survived: 1, compared: 0, notRun: 0, skipped: 1 },
  score: null,
  requirements: [],
  problem: null,
  durationMs: 1,
  testRunMs: 1,
  ratio: 1,
};
const coverage = {
  files: [
    { available: true as const, path: "a.py", covered: [], uncovered: [{ from: 4, to: 5 }] },
    { available: false as const, path: "b.py", reason: "no tool" },
  ],
  share: 0,
};

test("a line says what tests do about small changes of it, and whether any runs it", () => {
  const notes = lineNotes({ mutants, coverage });
  expect(notes("a.py", 1).map(({ tone, words }) => [tone, words])).toEqual([
    ["good", "a < b → a <= b: a test notices: test_a"],
    ["bad", "a < b → a <= b: no test notices"],
  ]);
  expect(notes("a.py", 5)).toMatchObject([{ tone: "bad", words: "no test runs this line" }]);
  for (const [path, line] of [
    ["a.py", 2],
    ["a.py", 3],
    ["b.py", 4],
  ] as const)
    expect(notes(path, line)).toEqual([]);
});

test("where nothing was measured nothing is said", () => {
  expect(lineNotes({ mutants: null, coverage: null })("a.py", 1)).toEqual([]);
});
