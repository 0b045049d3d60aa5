import { z } from "zod";

export const TestOutcome = z.enum(["passed", "failed", "error", "skipped", "xfailed"]);
export type TestOutcome = z.infer<typeof TestOutcome>;

export const TestCase = z.lazy(() =>
  z.object({
    /** Stable over runs: `file::name`. */
    id: z.string(),
    file: z.string(),
    name: z.string(),
    outcome: TestOutcome,
    durationMs: z.number(),
    message: z.string().default(""),
  }),
);
export type TestCase = z.infer<typeof TestCase>;

/** How a run of a test command ended. A limit that was hit is never a red test. */
export const RunEnding = z.enum(["completed", "timeout", "resource-limit", "crashed"]);

export const TestReport = z.lazy(() =>
  z.object({
    command: z.string(),
    ending: RunEnding,
    exitCode: z.number().int().nullable(),
    tests: z.array(TestCase),
    /** Bounded and normalised tail of what the runner printed. */
    output: z.string(),
    durationMs: z.number(),
  }),
);
export type TestReport = z.infer<typeof TestReport>;

export const isRed = (test: TestCase): boolean => test.outcome === "failed" || test.outcome === "error";

/** A run passes when it came to its end, said so, executed at least one test, and no test is red. */
export function passes(report: TestReport): boolean {
  return report.ending === "completed" && report.exitCode === 0 && executed(report) > 0 && !report.tests.some(isRed);
}

/** How many went which way; what neither passed nor is red was skipped, or is expected to fail. */
export function countTests({ tests }: TestReport): { passed: number; red: number; skipped: number } {
  const passed = tests.filter(({ outcome }) => outcome === "passed").length;
  const red = tests.filter(isRed).length;
  return { passed, red, skipped: tests.length - passed - red };
}

/** Tests that really ran: a skipped one did not. */
export function executed(report: TestReport): number {
  const { passed, red } = countTests(report);
  return passed + red;
}
