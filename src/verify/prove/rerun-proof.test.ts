import { expect, test } from "vitest";
import { type MutantFate, MutantReport } from "../../domain/evidence/mutant-report.ts";
import { reportMutants } from "../mutants/report-mutants.ts";
import { NOTHING_RUN, twice } from "./rerun.ts";
import { compareMutants } from "./rerun-proof.ts";

/** A report on mutants `a`, `b`, … with these fates; what is killed is killed by an expectation of R1's test. */
function reported(fates: Record<string, MutantFate>, problem: string | null = null): MutantReport {
  const results = Object.entries(fates).map(([id, fate]) => ({
    mutant: {
      id,
      path: "a.py",
      line: 1,
      statement: { from: 1, to: 1 },
      operator: "constant" as const,
      from: 0,
      to: 1,
      replacement: "2",
      description: "`1` → `2`",
    },
    fate,
    killedBy: fate === "killed" ? ["t"] : [],
    expectedBy: fate === "killed" ? ["t"] : [],
    reason: "",
  }));
  const asked = new Map(results.map(({ mutant }) => [mutant.id, ["t"]]));
  const requirements = [{ id: "R1", tests: ["t"] }];
  return MutantReport.parse(reportMutants({ results, requirements, asked, problem, durationMs: 1, testRunMs: 1 }));
}

const found = (said: Record<string, MutantFate>, now: Record<string, MutantFate>, sameVersion = true) =>
  compareMutants(reported(said), reported(now), sameVersion).differences.map((line) => line.replace(/ \(.*\)/, ""));

test("what the evidence calls noticed must be noticed, and nothing may be left out or made up", () => {
  expect(found({ a: "killed", b: "survived" }, { a: "killed", b: "survived" })).toEqual([]);
  expect(found({ a: "killed", b: "killed" }, { a: "killed", b: "survived" })).toEqual([
    "mutant b: survived, the evidence says killed",
  ]);
  expect(found({ a: "skipped" }, { a: "survived" })).toEqual(["mutant a: survived, the evidence says skipped"]);
  expect(found({ a: "killed" }, { a: "killed", b: "survived" })).toEqual(["mutant b: the evidence does not have it"]);
  expect(found({ a: "killed", b: "killed" }, { a: "killed" })).toEqual(["mutant b: the change has no such mutant"]);
  expect(found({ a: "killed" }, { a: "survived" })).toContain("R1: its tests notice no mutant, the evidence says 1");
});

test("noticing more than the evidence says, a busy machine and another version are no differences", () => {
  expect(found({ a: "killed", b: "survived", c: "not-run" }, { a: "killed", b: "killed", c: "survived" })).toEqual([]);
  expect(found({ a: "timed-out" }, { a: "survived" })).toEqual([]);
  expect(found({ a: "killed" }, { a: "timed-out" })).toEqual([]);
  const busy = compareMutants(reported({ a: "killed", b: "killed" }), reported({ a: "not-run", b: "not-run" }), true);
  expect(busy).toMatchObject({ differences: [], notRepeated: ["2 of 2 mutants: the time for them was up"] });
  expect(found({ a: "killed" }, { b: "killed" }, false)).toEqual([]);
  const odd = compareMutants(reported({ a: "killed" }), reported({ a: "survived" }, "the tests are red"), true);
  expect(odd).toMatchObject({ differences: [], notRepeated: ["mutants: the tests are red"] });
});

test("what comes out differently only once is not said", async () => {
  const runs = [
    ["a", "b"],
    ["b", "c"],
  ];
  const part = async () => ({ ...NOTHING_RUN, differences: runs.shift() ?? [] });
  expect((await twice(part)).differences).toEqual(["b"]);
});
