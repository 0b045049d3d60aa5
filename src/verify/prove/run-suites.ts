import { z } from "zod";
import { TestReport } from "../../domain/evidence/test-report.ts";
import { type BaseFlakes, baseFlakes, flipsBetween } from "../flakes/find-flakes.ts";
import type { MixedTrees } from "./mixed-trees.ts";
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
    /** Who opened what on the base. */
    baseReads: Reads,
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

/** Paths of each side whose lines are to be watched. */
export interface Watched {
  base: string[];
  result: string[];
}

/**
 * The base twice, the result once, and what each version of the tests says of the other version of the code. All of them
 * are independent. The second run of the base is watched as well.
 */
export async function runSuites(
  suite: SuiteRunner,
  { base, result }: { base: string; result: string },
  mixed: MixedTrees,
  watched: Watched,
): Promise<SuiteRuns> {
  const orNone = async (what: string, tree: string | null) => (tree === null ? null : suite.run(what, tree));
  const [before, second, after, resultTraced, oldOnNew, newOnOld] = await Promise.all([
    suite.run("the tests before the change", base),
    suite.hasTests(base) ? suite.trace("them again, for flakes", base, watched.base) : null,
    suite.run("the tests after the change", result),
    watched.result.length > 0 && suite.hasTests(result)
      ? suite.trace("them again, to see which lines they run", result, watched.result)
      : null,
    orNone("the old tests on the new code", mixed.oldTestsOnNewCode),
    orNone("the new tests on the old code", mixed.newTestsOnOldCode),
  ]);
  const flakes = before?.ending === "completed" && second ? await flakesOf(suite, base, before, second.report) : null;
  return {
    before,
    after,
    oldOnNew,
    newOnOld,
    base: flakes,
    baseReads: second?.reads ?? [],
    resultTraced: resultTraced && { ...resultTraced, reads: resultTraced.reads ?? [] },
  };
}

/** What differs only while it is watched is not flaky: it runs once more, unwatched. */
async function flakesOf(suite: SuiteRunner, base: string, first: TestReport, second: TestReport): Promise<BaseFlakes> {
  const again = suite.varied("them again, for flakes", base);
  const isSame = flipsBetween([first, second]).length === 0;
  return baseFlakes(async (...of) => (isSame ? second : again(...of)), { first, shuffle: false });
}
