import { expect, test } from "vitest";
import type { Mutant, MutantFate, MutantReport } from "../../domain/evidence/mutant-report.ts";
import { reportMutants } from "../mutants/report-mutants.ts";
import { withNoticed } from "./meet-own-suite.ts";

const mutant = (id: string): Mutant => ({
  id,
  path: "a.py",
  line: 1,
  statement: { from: 1, to: 1 },
  operator: "constant",
  from: 0,
  to: 1,
  replacement: "2",
  description: id,
});

function report(fates: Record<string, MutantFate>, by: string): MutantReport {
  const results = Object.entries(fates).map(([id, fate]) => {
    const killedBy = fate === "killed" ? [by] : [];
    return { mutant: mutant(id), fate, killedBy, expectedBy: killedBy, reason: "" };
  });
  const asked = new Map(results.map(({ mutant: { id } }) => [id, [by]]));
  const requirements = by === "new" ? [{ id: "R1", tests: ["new"] }] : [];
  return reportMutants({ results, requirements, asked, problem: null, durationMs: 1, testRunMs: 1 });
}

test("what the project's own tests notice is noticed, and shows no requirement", () => {
  const first = report({ a: "killed", b: "survived", c: "survived", d: "not-run" }, "new");
  const own = report({ b: "killed", c: "survived", d: "killed" }, "tests/test_totals.py::test_sum");
  const both = withNoticed(first, own);
  expect(both.counts).toEqual({ killed: 2, timedOut: 0, survived: 1, compared: 0, notRun: 1, skipped: 0 });
  expect(both.results.find(({ mutant: { id } }) => id === "b")?.killedBy).toEqual(["tests/test_totals.py::test_sum"]);
  expect(both.requirements).toEqual(first.requirements);
});
