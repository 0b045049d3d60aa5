import type { TestOutcome, TestReport } from "../src/domain/evidence/test-report.ts";

/** A report from lines such as `{ "tests/test_a.py::test_x": "passed" }`. */
export function report(outcomes: Record<string, TestOutcome>, change: Partial<TestReport> = {}): TestReport {
  const tests = Object.entries(outcomes).map(([id, outcome]) => {
    const [file = "", ...name] = id.split("::");
    const message = outcome === "passed" ? "" : `${id} is ${outcome}`;
    return { id, file, name: name.join("::"), outcome, durationMs: 1, message };
  });
  const red = tests.some((test) => test.outcome === "failed" || test.outcome === "error");
  return { command: "pytest", ending: "completed", exitCode: red ? 1 : 0, tests, output: "", durationMs: 1, ...change };
}
