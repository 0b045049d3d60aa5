import { expect, test } from "vitest";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { mergeReports, mergeTraces } from "./merge-reports.ts";

const report = (file: string, more: Partial<TestReport> = {}): TestReport => ({
  command: `run ${file}`,
  ending: "completed",
  exitCode: 0,
  tests: [{ id: `${file}::a`, file, name: "a", outcome: "passed", durationMs: 1, message: "" }],
  output: file,
  durationMs: 5,
  ...more,
});

test("suites of two languages are told as one, and the worst ending counts", () => {
  const both = mergeReports([report("a.py", { ending: "timeout", exitCode: null }), report("a.js", { exitCode: 1 })]);
  expect(both).toMatchObject({ ending: "timeout", exitCode: null, durationMs: 10, command: "run a.py && run a.js" });
  expect(both.tests.map(({ id }) => id)).toEqual(["a.py::a", "a.js::a"]);
  expect(mergeReports([report("a.py"), report("a.js", { exitCode: 1 })]).exitCode).toBe(1);
  expect(mergeReports([report("a.py")])).toEqual(report("a.py"));
});

test("lines that any suite ran are known, and none only where nobody could watch", () => {
  const traced = (file: string, lines: Map<string, Map<number, Set<string>>> | null) => ({
    report: report(file),
    lines,
    reason: lines ? "" : "cannot",
    modules: [file],
  });
  const ran = (test: string) => new Map([["x.json", new Map([[1, new Set([test])]])]]);
  expect(mergeTraces([traced("a.py", ran("p")), traced("a.js", ran("j"))]).lines).toEqual(
    new Map([["x.json", new Map([[1, new Set(["p", "j"])]])]]),
  );
  expect(mergeTraces([traced("a.py", ran("p")), traced("a.js", null)]).lines).toEqual(ran("p"));
  expect(mergeTraces([traced("a.py", null), traced("a.js", null)])).toMatchObject({ lines: null, reason: "cannot" });
});
