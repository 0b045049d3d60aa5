import { z } from "zod";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";
import { withIgnoredFiles } from "./ignored-files.ts";
import type { Measurements } from "./measurements.ts";
import { mixTrees } from "./mixed-trees.ts";
import type { ProveParts } from "./prove-parts.ts";
import { runSuites, SuiteRuns } from "./run-suites.ts";
import { absentBefore, suiteProblem } from "./suite-problem.ts";
import type { SuiteRunner } from "./suite-runner.ts";

export interface WhereTheyRan {
  runs: SuiteRuns | null;
  trees: { base: string; result: string };
  /** Why no test runs here at all, whatever the change does; null: some do. */
  problem: string | null;
  notes: string[];
}

const LaidTrees = z.object({ base: z.string(), result: z.string(), paths: z.array(z.string()) });

/** The runs, and the trees they ran on: with files that git ignores where no test can be loaded without them. */
export async function runWhereTheyRun(
  { artifacts, task }: Pick<ProveParts, "artifacts" | "task">,
  measurements: Measurements,
  directory: string,
  suite: SuiteRunner | null,
  trees: { base: string; result: string },
  files: ChangedFile[],
  watched: string[],
): Promise<WhereTheyRan> {
  if (!suite) return { runs: null, trees, problem: null, notes: [] };
  const tests = files.filter(isTestSide).map(({ path }) => path);
  const on = ({ base, result }: typeof trees) => {
    const both = { base, result };
    const run = () => runSuites(suite, both, mixTrees(artifacts, task, both, files), watched);
    return measurements.take("suites", SuiteRuns, run, { ...both, tests, watched });
  };
  const runs = await on(trees);
  const problem = suiteProblem(runs.before, runs.after);
  const absent = problem === null ? absentBefore(runs.before, runs.after) : null;
  if (problem === null) return { runs, trees, problem, notes: absent === null ? [] : [absent] };
  const lay = () => withIgnoredFiles(artifacts, task, directory, trees);
  const laid = await measurements.take("ignored files", LaidTrees.nullable(), lay, trees);
  const again = laid && (await on(laid));
  if (!again || suiteProblem(again.before, again.after) !== null) return { runs, trees, problem, notes: [] };
  const shown = laid.paths.slice(0, 3).join(", ") + (laid.paths.length > 3 ? ` and ${laid.paths.length - 3} more` : "");
  return {
    runs: again,
    trees: laid,
    problem: null,
    notes: [`the tests run only with files that git ignores: ${shown} are in both trees`],
  };
}
