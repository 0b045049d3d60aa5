import { expect, test } from "vitest";
import { passes, type TestCase } from "../domain/evidence/test-report.ts";
import type { CommandResult } from "../sandbox/sandbox.ts";
import { judgeRun } from "./judge-run.ts";
import type { TestRun } from "./language.ts";

const result = (over: Partial<CommandResult> = {}): CommandResult => ({
  ending: "exited",
  exitCode: 0,
  signal: null,
  stdout: "out\n",
  stderr: "",
  truncated: false,
  durationMs: 5,
  ...over,
});
const run = (files: string[] = []): TestRun => ({
  argv: [],
  runner: "pytest",
  files,
  env: {},
  reportFile: "r",
  display: "pytest",
});
const green: TestCase = { id: "a.py::t", file: "a.py", name: "t", outcome: "passed", durationMs: 1, message: "" };
const lines = (tests: TestCase[], ended = true, running: { file: string; name: string }[] = []) => ({
  tests,
  ended,
  running,
});

test("a run that came to its end with a green test passes", () => {
  expect(passes(judgeRun(lines([green]), result(), run()))).toBe(true);
});

test("a run without a test is no pass", () => {
  const report = judgeRun(lines([]), result({ exitCode: 5 }), run(["a.py"]));
  expect(report).toMatchObject({ ending: "completed", tests: [] });
  expect(passes(report)).toBe(false);
});

test("a runner that did not say it came to its end crashed, whatever its exit code", () => {
  expect(judgeRun(lines([green], false), result(), run()).ending).toBe("crashed");
  expect(judgeRun(lines([green]), result({ exitCode: null, signal: "SIGKILL" }), run()).ending).toBe("crashed");
});

test("a crash names the test that was running", () => {
  const running = [{ file: "a.py", name: "u" }];
  const report = judgeRun(lines([green], false, running), result({ exitCode: null, signal: "SIGSEGV" }), run());
  expect(report.tests.at(-1)).toMatchObject({ id: "a.py::u", outcome: "error" });
  expect(report.tests.at(-1)?.message).toContain("SIGSEGV");
});

test("a limit is an ending of its own and makes no test red", () => {
  const running = [{ file: "a.py", name: "u" }];
  const late = judgeRun(lines([green], false, running), result({ ending: "timeout", exitCode: null }), run());
  expect(late).toMatchObject({ ending: "timeout", tests: [green] });
  expect(late.output).toContain("still running: a.py::u");
  for (const ending of ["memory-limit", "process-limit", "disk-limit"] as const) {
    expect(judgeRun(lines([]), result({ ending }), run()).ending).toBe("resource-limit");
  }
});

test("a file that was asked for and of which nothing ran is an error", () => {
  const report = judgeRun(lines([green]), result(), run(["a.py", "b.py", "b.py::x", "directory"]));
  expect(report.tests.filter((one) => one.outcome === "error").map((one) => one.id)).toEqual(["b.py::file"]);
});

test("an exit code that no red test explains is an error", () => {
  const report = judgeRun(lines([green]), result({ exitCode: 1, stderr: "coverage too low" }), run());
  expect(report.tests.at(-1)).toMatchObject({ id: "::run", outcome: "error" });
  expect(report.tests.at(-1)?.message).toContain("coverage too low");
});
