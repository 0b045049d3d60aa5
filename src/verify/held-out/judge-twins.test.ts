import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { TestOutcome, TestReport } from "../../domain/evidence/test-report.ts";
import { judgeTwins, type TwinRuns } from "./judge-twins.ts";
import type { TwinPair } from "./twin.ts";

const MARK = "5a17c9";
const pair: TwinPair = {
  of: { path: "u.py", test: "test_u" },
  original: { path: "a.py", name: "test_a" },
  twin: { path: "b.py", name: "test_b", mark: MARK, turned: "assertion" },
  decoy: { path: "c.py", name: "test_c" },
  canary: { path: "b.py", name: "test_canary" },
};
const { decoy: _, canary: __, ...plain } = pair;

/** Failed tests say our word, as twins do. */
const of = (tests: Record<string, TestOutcome>, change: Partial<TestReport> = {}): TestReport => {
  const made = report(tests, change);
  return { ...made, tests: made.tests.map((one) => ({ ...one, message: `${one.message} ${MARK}` })) };
};
const good: TwinRuns = {
  originals: of({ "a.py::test_a": "passed" }),
  twins: of({ "b.py::test_b": "failed", "b.py::test_canary": "failed" }),
  decoys: of({ "c.py::test_c": "failed" }),
};
const judged = (runs: Partial<TwinRuns>, of: TwinPair = pair) => {
  const verdict = judgeTwins(of, { ...good, ...runs });
  return "message" in verdict ? `${verdict.verdict}: ${verdict.message}` : verdict.verdict;
};
const twins = (twin: TestOutcome, canary: TestOutcome = "failed", change: Partial<TestReport> = {}) =>
  of({ "b.py::test_b": twin, "b.py::test_canary": canary }, change);

test("a test passes when it passed, and its twin and its decoy failed, each case of it", () => {
  expect(judged({})).toBe("passed");
  expect(judgeTwins(plain, { originals: good.originals, twins: good.twins })).toEqual({ verdict: "passed" });
  const originals = of({ "a.py::test_a[1]": "passed", "a.py::test_a[2]": "passed" });
  const cases = (second: TestOutcome) =>
    judged({ originals, twins: of({ "b.py::test_b[1]": "failed", "b.py::test_b[2]": second }) }, plain);
  expect(cases("failed")).toBe("passed");
  expect(cases("passed")).toContain("unjudged: the test passes, and so does its twin");
  expect(judged({ originals, twins: of({ "b.py::test_b[1]": "failed" }) }, plain)).toContain("did not run");
});

test.each<[string, Partial<TwinRuns>, string]>([
  ["its twin passes", { twins: twins("passed") }, "the test passes, and so does its twin"],
  ["its decoy passes", { decoys: of({ "c.py::test_c": "passed" }) }, "the test passes whatever value it expects"],
  [
    "its twin is missing",
    { twins: of({ "b.py::test_canary": "failed" }) },
    "its twin, which claims the opposite, did not",
  ],
  ["its decoy is missing", { decoys: of({}) }, "it did not run with another expected value"],
  ["its decoy was stopped", { decoys: of({}, { ending: "timeout" }) }, "it did not run with another expected value"],
  [
    "its twins were stopped",
    { twins: of({}, { ending: "crashed" }) },
    "its twin, which claims the opposite, did not run",
  ],
  ["it is skipped", { originals: of({ "a.py::test_a": "skipped" }) }, "the test was skipped"],
  ["it is missing without a reason", { originals: of({}) }, "the test did not run"],
  [
    "the runner contradicts its report",
    { twins: twins("failed", "failed", { exitCode: 0 }) },
    "the runner's exit code",
  ],
  [
    "its twin fails before it claims anything",
    { twins: report({ "b.py::test_b": "failed", "b.py::test_canary": "failed" }) },
    "its twin, which claims the opposite, failed before it came to that",
  ],
])("when %s nothing is known of a test, and nobody is accused", (_, runs, expected) => {
  expect(judged(runs)).toContain(`unjudged: ${expected}`);
});

test.each<[string, Partial<TwinRuns>]>([
  ["twin and decoy pass", { twins: twins("passed"), decoys: of({ "c.py::test_c": "passed" }) }],
  ["twin and canary pass", { twins: twins("passed", "passed") }],
  ["the canary passes and the exit code contradicts the report", { twins: twins("failed", "passed", { exitCode: 0 }) }],
])("when %s the change tampers with its tests, and the signs are told", (_, runs) => {
  expect(judged(runs)).toMatch(/^tampered: .+; .+/);
});

test.each<[string, Partial<TwinRuns>, string]>([
  ["is red", { originals: of({ "a.py::test_a": "failed" }), twins: twins("passed") }, "red: a.py::test_a is failed"],
  ["cannot be imported", { originals: of({ "a.py::collection": "error" }) }, "red: a.py::collection is error"],
  ["was stopped", { originals: of({}, { ending: "timeout" }) }, "red: the tests did not come to their end (timeout)"],
])("a test that %s is red, whatever its twin does", (_, runs, expected) => {
  expect(judged(runs)).toContain(expected);
});
