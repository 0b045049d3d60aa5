import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { TestOutcome, TestReport } from "../../domain/evidence/test-report.ts";
import { judgeTwins } from "./judge-twins.ts";

const pair = {
  of: { path: "u.py", test: "test_u" },
  original: { path: "a.py", name: "test_a" },
  twin: { path: "b.py", name: "test_b" },
};
const originals = (outcome: TestOutcome, change: Partial<TestReport> = {}) =>
  report({ "a.py::test_a": outcome }, change);
const twins = (outcome: TestOutcome, change: Partial<TestReport> = {}) => report({ "b.py::test_b": outcome }, change);
const judged = (own: TestReport, other: TestReport) => {
  const verdict = judgeTwins(pair, { originals: own, twins: other });
  return "message" in verdict ? `${verdict.verdict}: ${verdict.message}` : verdict.verdict;
};

test("a test passes when it passed and its twin failed, each case of it", () => {
  expect(judged(originals("passed"), twins("failed"))).toBe("passed");
  const cases = report({ "a.py::test_a[1]": "passed", "a.py::test_a[2]": "passed" });
  expect(judged(cases, report({ "b.py::test_b[1]": "failed", "b.py::test_b[2]": "failed" }))).toBe("passed");
  expect(judged(cases, report({ "b.py::test_b[1]": "failed", "b.py::test_b[2]": "passed" }))).toContain(
    "so does its twin",
  );
  expect(judged(cases, report({ "b.py::test_b[1]": "failed" }))).toContain("its twin did not run");
});

test.each<[string, TestReport, TestReport, string]>([
  ["both pass", originals("passed"), twins("passed"), "tampered: the test passes, and so does its twin"],
  ["the twin is missing", originals("passed"), report({}), "tampered: its twin did not run"],
  [
    "the twin fails in its set-up",
    originals("passed"),
    twins("error"),
    "tampered: its twin did not run to its assertion",
  ],
  ["the test is missing without a reason", report({}), twins("failed"), "tampered: the test did not run"],
  ["the test is skipped", originals("skipped"), twins("failed"), "tampered: the test was skipped"],
  [
    "the runner failed though all is green",
    originals("passed", { exitCode: 1 }),
    twins("failed"),
    "tampered: the runner's exit code",
  ],
  [
    "the runner succeeded though the twin is red",
    originals("passed"),
    twins("failed", { exitCode: 0 }),
    "tampered: the runner's exit code",
  ],
  ["the test is red", originals("failed"), twins("passed"), "red: a.py::test_a is failed"],
  [
    "the file cannot be imported",
    report({ "a.py::collection": "error" }),
    report({}),
    "red: a.py::collection is error",
  ],
  [
    "the run was stopped",
    report({}, { ending: "timeout" }),
    twins("failed"),
    "red: the tests did not come to their end (timeout)",
  ],
  [
    "the run of the twins was stopped",
    originals("passed"),
    report({}, { ending: "crashed" }),
    "red: the tests did not come to their end (crashed)",
  ],
])("when %s it does not pass", (_, own, other, expected) => {
  expect(judged(own, other)).toContain(expected);
});

test("a test whose decoy passes, does not run or contradicts the exit code is tampered with", () => {
  const withDecoy = { ...pair, decoy: { path: "c.py", name: "test_c" } };
  const runs = { originals: originals("passed"), twins: twins("failed") };
  const of = (decoys: TestReport) => {
    const verdict = judgeTwins(withDecoy, { ...runs, decoys });
    return "message" in verdict ? `${verdict.verdict}: ${verdict.message}` : verdict.verdict;
  };
  expect(of(report({ "c.py::test_c": "failed" }))).toBe("passed");
  expect(of(report({ "c.py::test_c": "passed" }))).toBe("tampered: the test passes whatever value it expects");
  expect(of(report({}))).toBe("tampered: it did not run with another expected value");
  expect(of(report({ "c.py::test_c": "failed" }, { exitCode: 0 }))).toContain("tampered: the runner's exit code");
  expect(of(report({}, { ending: "timeout" }))).toContain("red: the tests did not come to their end");
  expect(judgeTwins(withDecoy, runs)).toEqual({ verdict: "passed" });
});
