import { countTests, isRed, passes, type TestReport } from "../../domain/evidence/test-report.ts";
import type { SandboxLimits } from "../../domain/settings/settings.ts";
import type { EventBody } from "../../domain/task/event.ts";
import type { Language } from "../../languages/language.ts";
import { runTests } from "../../languages/run-tests.ts";
import type { Run } from "./run.ts";

export interface TestsToRun {
  /** The checkout they run in. Nobody else uses it meanwhile. */
  checkout: "gate" | "unseen";
  tree: string;
  language: Language;
  /** Absent: the whole suite. */
  files?: string[];
  limits?: SandboxLimits;
  /** See `TestRunOptions`. */
  fuzz?: string[];
}

/** Runs tests on a tree in an empty directory, in a fresh sandbox. */
export async function runTestsIn(run: Run, tests: TestsToRun): Promise<TestReport> {
  const { sandbox, signal, checkouts, languages } = run.parts;
  const { tree, language, files = [], limits = run.settings.sandbox.limits, fuzz = [] } = tests;
  const checkout = checkouts.named(tests.checkout);
  await checkout.renew(tree);
  const toolchain = await languages.toolchain(language, run.request.directory, tree);
  const options = { fuzz };
  return runTests({ language, sandbox, limits, workspace: checkout.directory, toolchain, files, signal, options });
}

type TestsRun = EventBody & { type: "tests-run" };
type TestScope = TestsRun["scope"];

/** Only the numbers, for tests that not everyone may see. */
export const testCounts = (scope: "red-check" | "held-out", report: TestReport): EventBody =>
  toEvent(scope, report, []);

export const testsRun = (scope: "visible" | "gate", report: TestReport, excused?: Excused): EventBody => ({
  ...toEvent(scope, report, report.tests.filter(isRed).slice(0, 20)),
  ...(excused && excused.obsolete + excused.before > 0 && { excused }),
});

type Excused = NonNullable<TestsRun["excused"]>;

/** Red tests that the gate does not hold against a change. */
export function excusedOf(report: TestReport, superseded: readonly string[], baseline: TestReport | null): Excused {
  const before = new Set(baseline?.tests.filter(isRed).map(({ id }) => id));
  const red = report.tests.filter(isRed);
  const obsolete = red.filter(({ id }) => superseded.includes(id));
  return {
    obsolete: obsolete.length,
    before: red.filter((test) => before.has(test.id) && !obsolete.includes(test)).length,
  };
}

function toEvent(scope: TestScope, report: TestReport, red: TestReport["tests"]): TestsRun {
  return {
    type: "tests-run",
    scope,
    counts: countTests(report),
    passed: passes(report),
    ending: report.ending,
    red: red.map(({ id, message }) => ({ id, message: message.slice(-400) })),
    durationMs: report.durationMs,
  };
}
