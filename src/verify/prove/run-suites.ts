import type { TestReport } from "../../domain/test-report.ts";
import { type BaseFlakes, baseFlakes } from "../flakes/find-flakes.ts";
import type { TestRuns } from "./compare-tests.ts";
import type { MixedTrees } from "./mixed-trees.ts";
import type { SuiteRunner } from "./suite-runner.ts";

export interface SuiteRuns extends Omit<TestRuns, "after"> {
  after: TestReport | null;
  /** The tests as they are, configured as they were; null when the configuration was not touched. */
  oldConfig: TestReport | null;
  /** What the base says of itself; null when it does not run. */
  base: BaseFlakes | null;
}

/** The base twice, the result once, and what each version of the tests says of the other version of the code. */
export async function runSuites(
  suite: SuiteRunner,
  { base, result }: { base: string; result: string },
  mixed: MixedTrees,
): Promise<SuiteRuns> {
  const before = await suite.run("the tests before the change", base);
  const flakes =
    before?.ending === "completed"
      ? await baseFlakes(suite.varied("them again, for flakes", base), {
          first: before,
          shuffle: suite.canShuffle(base),
        })
      : null;
  const after = await suite.run("the tests after the change", result);
  const orNone = (what: string, tree: string | null) => (tree === null ? null : suite.run(what, tree));
  return {
    before,
    after,
    oldOnNew: await orNone("the old tests on the new code", mixed.oldTestsOnNewCode),
    newOnOld: await orNone("the new tests on the old code", mixed.newTestsOnOldCode),
    oldConfig: await orNone("the new tests with the old configuration", mixed.oldConfigOnNewCode),
    base: flakes,
  };
}
