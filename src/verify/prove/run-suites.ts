import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import { type BaseFlakes, baseFlakes, flipsBetween } from "../flakes/find-flakes.ts";
import type { TestRuns } from "./compare-tests.ts";
import type { MixedTrees } from "./mixed-trees.ts";
import type { SuiteRunner } from "./suite-runner.ts";

export interface SuiteRuns extends Omit<TestRuns, "after"> {
  after: TestReport | null;
  /** What the base says of itself; null when it does not run. */
  base: BaseFlakes | null;
  /** The base, watched; null when that was not asked for. */
  baseTraced: TracedRun | null;
  /** The result, watched. */
  resultTraced: TracedRun | null;
}

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
  return { before, after, oldOnNew, newOnOld, base: flakes, baseTraced: second, resultTraced };
}

/** What differs only while it is watched is not flaky: it runs once more, unwatched. */
async function flakesOf(suite: SuiteRunner, base: string, first: TestReport, second: TestReport): Promise<BaseFlakes> {
  const again = suite.varied("them again, for flakes", base);
  const isSame = flipsBetween([first, second]).length === 0;
  return baseFlakes(async (...of) => (isSame ? second : again(...of)), { first, shuffle: false });
}
