import { expect, test } from "vitest";
import type { TestReport } from "../domain/evidence/test-report.ts";
import { baselineLimits, suiteLimits } from "./suite-limits.ts";

const LIMITS = { cpus: 1, memoryMb: 1024, pids: 128, diskMb: 512, timeoutMs: 300_000, outputBytes: 64_000 };
const lasting = (durationMs: number): TestReport => ({
  command: "pytest",
  ending: "completed",
  exitCode: 0,
  tests: [],
  output: "",
  durationMs,
});

test("a suite may take three times as long as before the change", () => {
  expect(suiteLimits(LIMITS, lasting(400_000.2))).toEqual({ ...LIMITS, timeoutMs: 1_200_001 });
});

test("a short suite, and one that nobody has timed, may take as long as any command", () => {
  expect(suiteLimits(LIMITS, lasting(2_000))).toEqual(LIMITS);
  expect(suiteLimits(LIMITS, null)).toEqual(LIMITS);
});

test("the baseline may take longer than a command, so that a slow suite can be timed at all", () => {
  expect(baselineLimits(LIMITS)).toEqual({ ...LIMITS, timeoutMs: 1_800_000 });
});
