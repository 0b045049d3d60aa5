import { expect, test } from "vitest";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { narrowed } from "./choose-mutants.ts";

const mutant = (line: number): Mutant => ({
  id: `a.py:${line}:constant:1`,
  path: "a.py",
  line,
  statement: { from: line, to: line },
  operator: "constant",
  from: line,
  to: line + 1,
  replacement: "2",
  description: "`1` → `2`",
});
const lines = (tests: string[][]) => new Map([["a.py", new Map(tests.map((own, index) => [index + 1, new Set(own)]))]]);

test("lines that few tests run come first, and those that none of them runs not at all", () => {
  const chosen = narrowed([1, 2, 3, 4].map(mutant), lines([["a", "b", "c"], ["a", "b"], ["c"], ["other"]]), [
    "a",
    "b",
    "c",
  ]);
  expect(chosen.map(({ line }) => line)).toEqual([3, 2, 1]);
});

test("each test gets its share, however many another one has", () => {
  const own = Array.from({ length: 100 }, () => ["a"]);
  const chosen = narrowed(
    Array.from({ length: 101 }, (_, index) => mutant(index + 1)),
    lines([...own, ["b"]]),
    ["a", "b"],
  );
  expect(chosen).toHaveLength(31);
  expect(chosen.some(({ line }) => line === 101)).toBe(true);
});

test("where nobody knows which lines run, few are asked of all", () => {
  const all = Array.from({ length: 100 }, (_, index) => mutant(index + 1));
  expect(narrowed(all, null, ["a", "b"])).toHaveLength(12);
});
