import { expect, test } from "vitest";
import type { MutantReport } from "../../domain/evidence/mutant-report.ts";
import { sensitivityOf } from "./sensitivity.ts";

const report = (change: Partial<MutantReport>): MutantReport => ({
  results: [],
  counts: { killed: 0, timedOut: 0, survived: 0, compared: 0, notRun: 0, skipped: 0 },
  score: null,
  requirements: [],
  problem: null,
  durationMs: 1,
  testRunMs: 1,
  ratio: 1,
  ...change,
});
const R1 = { id: "R1", tests: ["t"] };
const of = (own: { killed: string[]; met: number; left: number }, problem: string | null = null) =>
  sensitivityOf(report({ requirements: [{ id: "R1", ...own }], problem }), [R1])[0]?.state;

test.each([
  ["noticed", { killed: ["m1"], met: 1, left: 9 }],
  ["unnoticed", { killed: [], met: 3, left: 0 }],
  ["no-time", { killed: [], met: 3, left: 1 }],
  ["no-mutant", { killed: [], met: 0, left: 0 }],
])("a requirement is %s", (notice, own) => {
  expect(of(own)).toBe(notice);
});

test("no kill counts where the tests are red without a mutant, and a requirement that was not asked about is not noticed", () => {
  expect(of({ killed: [], met: 3, left: 0 }, "with nothing but a comment added to a.py, not green")).toBe("untold");
  expect(sensitivityOf(null, [R1])).toEqual([{ id: "R1", state: "no-mutant" }]);
  expect(sensitivityOf(report({}), [R1])).toEqual([{ id: "R1", state: "no-mutant" }]);
  expect(sensitivityOf(null, [{ id: "R1", tests: [] }])).toEqual([{ id: "R1", state: "absent" }]);
});
