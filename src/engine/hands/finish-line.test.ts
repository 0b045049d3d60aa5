import { expect, test } from "vitest";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { CommandResult } from "../../sandbox/sandbox.ts";
import { FinishWatch } from "./finish-line.ts";

const report = (exitCode: number): TestReport => ({
  command: "test",
  tests: [],
  ending: "completed",
  exitCode,
  output: "",
  durationMs: 0,
});
const ended = (exitCode: number): CommandResult => ({
  ending: "exited",
  exitCode,
  signal: null,
  stdout: "",
  stderr: "",
  truncated: false,
  durationMs: 0,
});
const opened = (...commands: string[]) =>
  new FinishWatch({ isGreen: ({ exitCode }) => exitCode === 0, commands }, "begun");

test("green tests on a changed tree reach the finish line; red ones do not", () => {
  const watch = opened();
  watch.saw("changed", watch.shownBy(report(1)));
  expect(watch.isReached).toBe(false);
  watch.saw("changed", watch.shownBy(report(0)));
  expect(watch.isReached).toBe(true);
});

test("while nothing was changed, green tests say nothing of the work", () => {
  const watch = opened();
  watch.saw("begun", watch.shownBy(report(0)));
  expect(watch.isReached).toBe(false);
});

test("each command must have succeeded, too, word for word", () => {
  const watch = opened("make check");
  watch.saw("changed", watch.shownBy(report(0)));
  watch.saw("changed", watch.metBy("make check || true", ended(0)));
  watch.saw("changed", watch.metBy("make check", ended(2)));
  expect(watch.isReached).toBe(false);
  watch.saw("changed", watch.metBy(" make check\n", ended(0)));
  expect(watch.isReached).toBe(true);
});

test("a later change opens everything again", () => {
  const watch = opened();
  watch.saw("changed", watch.shownBy(report(0)));
  watch.saw("changed again", []);
  expect(watch.isReached).toBe(false);
});
