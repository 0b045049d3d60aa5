import { z } from "zod";
import { isRed, TestReport } from "../../domain/evidence/test-report.ts";
import { type BaseFlakes, flipsBetween } from "../flakes/find-flakes.ts";
import type { MixedTree, MixedTrees } from "./mixed-trees.ts";
import { RecordedLines } from "./recorded-lines.ts";
import type { SuiteRunner } from "./suite-runner.ts";

const Reads = z.array(z.object({ reader: z.string(), path: z.string() }));

export const SuiteRuns = z.lazy(() =>
  z.object({
    /** Null when there was nothing to run before. */
    before: TestReport.nullable(),
    after: TestReport.nullable(),
    /** The tests as they were on the code as it is; null when they were not touched. */
    oldOnNew: TestReport.nullable(),
    /** The tests as they are on the code as it was; null when there are none of the change. */
    newOnOld: TestReport.nullable(),
    /** What the base says of itself; null when it does not run. */
    base: z
      .object({
        first: TestReport,
        second: TestReport,
        flaky: z.array(z.string()),
        shuffles: z.boolean().nullable(),
      })
      .nullable(),
    /** The result, watched; null when that was not asked for. */
    resultTraced: z
      .object({
        report: TestReport,
        lines: RecordedLines.nullable(),
        reason: z.string(),
        modules: z.array(z.string()),
        reads: Reads,
      })
      .nullable(),
  }),
);
export type SuiteRuns = z.infer<typeof SuiteRuns>;

/**
 * The base once and the result once, which is watched meanwhile; then what each version of the changed tests says of the
 * other version of the code. A test file that is the same on both sides says there what it says anyway.
 */
export async function runSuites(
  suite: SuiteRunner,
  { base, result }: { base: string; result: string },
  mixed: MixedTrees,
  watched: string[],
): Promise<SuiteRuns> {
  const [before, resultTraced] = await Promise.all([
    suite.run("the tests before the change", base),
    suite.hasTests(result) ? suite.trace("the tests after the change", result, watched) : null,
  ]);
  // Some tests mind being watched.
  const isWhole = resultTraced?.report.ending === "completed";
  const first = isWhole ? resultTraced.report : await suite.run("the tests after the change", result);
  const after = first && (await againWhereOther(suite, result, before, first));
  const [oldOnNew, newOnOld] = await Promise.all([
    runMixed(suite, "the old tests on the new code", mixed.oldTestsOnNewCode, after),
    runMixed(suite, "the new tests on the old code", mixed.newTestsOnOldCode, before),
  ]);
  const traced = resultTraced && { ...resultTraced, reads: resultTraced.reads ?? [] };
  return { before, after, oldOnNew, newOnOld, base: await flakesOf(suite, base, before, after), resultTraced: traced };
}

/**
 * What is red only now, or gone, is asked once more: red twice is red. The whole suite runs again, as a test may be red
 * for what another one left behind. Tests that run changed lines are repeated anyway.
 */
async function againWhereOther(
  suite: SuiteRunner,
  result: string,
  before: TestReport | null,
  after: TestReport,
): Promise<TestReport> {
  const wasRed = new Set((before?.tests ?? []).filter(isRed).map(({ id }) => id));
  const red = after.tests.filter((test) => isRed(test) && !wasRed.has(test.id));
  const now = new Set(after.tests.map(({ id }) => id));
  const present = new Set(after.tests.map(({ file }) => file));
  const gone = (before?.tests ?? []).filter(({ id, file }) => !now.has(id) && present.has(file));
  if (after.ending !== "completed" || red.length + gone.length === 0) return after;
  const second = await suite.repeat("the tests after the change once more, as some are red or gone", result);
  const again = new Map(second?.tests.map((test) => [test.id, test]));
  const more = gone.flatMap(({ id }) => again.get(id) ?? []);
  return {
    ...after,
    tests: [...after.tests.map((test) => (isRed(test) ? (again.get(test.id) ?? test) : test)), ...more],
  };
}

/** `same`: the run that tells what the files say that are not run again. */
async function runMixed(
  suite: SuiteRunner,
  what: string,
  mixed: MixedTree | null,
  same: TestReport | null,
): Promise<TestReport | null> {
  if (mixed === null) return null;
  if (mixed.files === null || same?.ending !== "completed") return suite.run(what, mixed.tree);
  const report = mixed.files.length > 0 ? await suite.runFiles(what, mixed.tree, mixed.files) : { ...same, tests: [] };
  const known = new Set([...report.tests.map(({ file }) => file), ...mixed.changed]);
  return { ...report, tests: [...same.tests.filter(({ file }) => !known.has(file)), ...report.tests] };
}

/** Tests of the base that end otherwise now: those that do so on the base alone were like this before. */
async function flakesOf(
  suite: SuiteRunner,
  base: string,
  before: TestReport | null,
  after: TestReport | null,
): Promise<BaseFlakes | null> {
  if (before?.ending !== "completed") return null;
  const ended = new Map(after?.tests.map((test) => [test.id, test.outcome]));
  const other = before.tests.filter(({ id, outcome }) => ended.has(id) && ended.get(id) !== outcome);
  const files = [...new Set(other.map(({ file }) => file))];
  const second = files.length > 0 ? await suite.runFiles("them again, for flakes", base, files) : before;
  const flaky = flipsBetween([before, second], new Set(files)).map(({ id }) => id);
  return { first: before, second, flaky, shuffles: null };
}
