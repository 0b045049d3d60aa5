import { expect, test } from "vitest";
import { countTests, passes, type TestOutcome, type TestReport } from "./test-report.ts";

const report = (outcomes: TestOutcome[], change: Partial<TestReport> = {}): TestReport => ({
  command: "pytest",
  ending: "completed",
  exitCode: 0,
  tests: outcomes.map((outcome, index) => ({
    id: `f::t${index}`,
    file: "f",
    name: `t${index}`,
    outcome,
    durationMs: 1,
    message: "",
  })),
  output: "",
  durationMs: 1,
  ...change,
});

test("a run with green tests and exit code 0 passes", () => {
  expect(passes(report(["passed", "skipped"]))).toBe(true);
});

test.each([
  ["no test at all", report([])],
  ["only skipped tests", report(["skipped", "xfailed"])],
  ["a failed test", report(["passed", "failed"])],
  ["an error", report(["passed", "error"])],
  ["green tests but another exit code", report(["passed"], { exitCode: 1 })],
  ["a time-out after green tests", report(["passed"], { ending: "timeout", exitCode: null })],
  ["a limit that was hit", report(["passed"], { ending: "resource-limit" })],
])("%s is never a pass", (_, run) => {
  expect(passes(run)).toBe(false);
});

test("every test is counted once, and what neither passed nor is red counts as skipped", () => {
  const outcomes: TestOutcome[] = ["passed", "passed", "failed", "error", "skipped", "xfailed"];
  expect(countTests(report(outcomes))).toEqual({ passed: 2, red: 2, skipped: 2 });
});
