import { expect, test } from "vitest";
import {
  type MutantFate,
  MutantReport,
  type MutantResult,
  type MutationOperator,
} from "../../domain/evidence/mutant-report.ts";
import { keptDoubts } from "./kept-doubts.ts";

const UNIT = {
  path: "a.py",
  name: "f",
  kind: "function" as const,
  lines: [{ from: 2, to: 2 }],
  whole: [{ from: 1, to: 2 }],
  now: { path: "a.py", lines: { from: 1, to: 2 } },
};
const result = (operator: MutationOperator, fate: MutantFate, more: Partial<MutantResult> = {}): MutantResult => ({
  mutant: {
    ...{ id: `a.py:2:${operator}:1`, path: "a.py", line: 2, statement: { from: 2, to: 2 }, operator },
    ...{ from: 0, to: 1, replacement: "", description: "`a` → `b`" },
  },
  fate,
  killedBy: fate === "killed" ? ["t"] : [],
  expectedBy: fate === "killed" ? ["t"] : [],
  reason: "",
  ...more,
});
const REPORT = MutantReport.parse({
  ...{ results: [], counts: { killed: 0, timedOut: 0, survived: 0, notRun: 0, skipped: 0 }, score: null },
  ...{ durationMs: 1, testRunMs: 1, ratio: 1 },
});
const doubts = (results: MutantResult[], score: number | null = null, unit = {}) =>
  keptDoubts({ report: REPORT, units: [{ unit: { ...UNIT, ...unit }, results }] }, score).join("\n");

test("a value that a test expects is kept", () => {
  expect(doubts([result("value", "killed"), result("return", "killed")])).toBe("");
});

test("one mutant that nobody notices is too many, unless a person allows it", () => {
  const results = [result("value", "killed"), result("constant", "survived")];
  expect(doubts(results)).toContain("a.py:2 `a` → `b`");
  expect(doubts(results, 0.5)).toBe("");
});

test("noticing that the result is lost, or that the code raises, is not enough", () => {
  expect(doubts([result("return", "killed")])).toContain("none of them expects anything of what f (a.py:2) gave");
  expect(doubts([result("value", "killed", { expectedBy: [] })])).toContain("none of them expects anything");
});

test("what nobody tried, ran or could mutate is said", () => {
  expect(keptDoubts(null, null)).toEqual(["no mutant of the lines before the change was tried"]);
  expect(doubts([result("value", "not-run")])).toContain("could be tried in time");
  expect(doubts([])).toContain("nothing in f (a.py:2) can be mutated");
  const unseen = [result("value", "survived", { reason: "no test runs this line" })];
  expect(doubts(unseen, null, { now: null })).toContain("f of a.py is gone, and no test ran it");
});
