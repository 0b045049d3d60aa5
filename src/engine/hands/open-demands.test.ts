import { expect, test } from "vitest";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { CommandResult } from "../../sandbox/sandbox.ts";
import { OpenDemands } from "./open-demands.ts";

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
  new OpenDemands({ isGreen: ({ exitCode }) => exitCode === 0, commands }, "begun");

test("green tests on a changed tree meet the demands; red ones do not", () => {
  const demands = opened();
  demands.saw("changed", demands.shownBy(report(1)));
  expect(demands.areMet).toBe(false);
  demands.saw("changed", demands.shownBy(report(0)));
  expect(demands.areMet).toBe(true);
});

test("while nothing was changed, green tests say nothing of the work", () => {
  const demands = opened();
  demands.saw("begun", demands.shownBy(report(0)));
  expect(demands.areMet).toBe(false);
});

test("each command must have succeeded, too, word for word", () => {
  const demands = opened("make check");
  demands.saw("changed", demands.shownBy(report(0)));
  demands.saw("changed", demands.metBy("make check || true", ended(0)));
  demands.saw("changed", demands.metBy("make check", ended(2)));
  expect(demands.areMet).toBe(false);
  demands.saw("changed", demands.metBy(" make check\n", ended(0)));
  expect(demands.areMet).toBe(true);
});

test("a later change opens everything again", () => {
  const demands = opened();
  demands.saw("changed", demands.shownBy(report(0)));
  demands.saw("changed again", []);
  expect(demands.areMet).toBe(false);
});
