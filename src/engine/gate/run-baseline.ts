import { z } from "zod";
import { countTests, isRed, TestReport } from "../../domain/evidence/test-report.ts";
import type { Language } from "../../languages/language.ts";
import { baselineLimits, suiteLimits } from "../../languages/suite-limits.ts";
import { flipsBetween } from "../../verify/flakes/find-flakes.ts";
import type { Run } from "../hands/run.ts";
import { runTestsIn } from "../hands/run-tests.ts";

/**
 * Runs the suite before any change. The run must be complete: otherwise nobody could tell what the change broke. What
 * keeps it from coming to life is said at once.
 */
export function runBaseline(
  run: Run,
  tree: string,
  language: Language,
  problemOf: (report: TestReport) => string | null,
): Promise<TestReport> {
  return run.step({ kind: "tool", name: "baseline", input: { tree }, output: TestReport }, async ({ emit }) => {
    const limits = baselineLimits(run.settings.sandbox.limits);
    const report = await runTestsIn(run, { checkout: "gate", tree, language, limits });
    const red = report.tests.filter(isRed).map((test) => test.id);
    emit({ type: "baseline-run", counts: countTests(report), red });
    const problem = problemOf(report);
    if (problem !== null)
      emit({ type: "warning-raised", code: "tests.lifeless", message: `before any change: ${problem}` });
    return report;
  });
}

/**
 * Runs the suite a second time. A test with another outcome, although nothing changed, is flaky. Only such a test is
 * ever set aside.
 */
export function findFlaky(run: Run, tree: string, language: Language, first: TestReport): Promise<string[]> {
  const input = { tree, tests: first.tests.map(({ id, outcome }) => [id, outcome]) };
  return run.step({ kind: "tool", name: "baseline-again", input, output: z.array(z.string()) }, async ({ emit }) => {
    const limits = suiteLimits(run.settings.sandbox.limits, first);
    const second = await runTestsIn(run, { checkout: "gate", tree, language, limits });
    const flaky = flipsBetween([first, second]).map(({ id }) => id);
    if (flaky.length > 0) {
      const message = `flaky before any change, so set aside: ${flaky.slice(0, 10).join(", ")}`;
      emit({ type: "warning-raised", code: "tests.flaky", message });
    }
    return flaky;
  });
}
