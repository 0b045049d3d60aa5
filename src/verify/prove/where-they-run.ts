import { z } from "zod";
import { type ChangedFile, isTestSide } from "../change/change-parts.ts";
import { ownModules } from "../gate/absent-thing.ts";
import { absentBefore, type SuiteProblem, suiteProblem } from "../gate/suite-problem.ts";
import { withIgnoredFiles } from "./ignored-files.ts";
import type { Measurements } from "./measurements.ts";
import { mixTrees } from "./mixed-trees.ts";
import type { ProveParts } from "./prove-parts.ts";
import { runSuites, SuiteRuns } from "./run-suites.ts";
import type { SuiteRunner } from "./suite-runner.ts";

export interface WhereTheyRan {
  runs: SuiteRuns | null;
  trees: { base: string; result: string };
  /** Why the tests do not come to life here, whatever the change does; null: they do. */
  problem: SuiteProblem | null;
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
  const { base, result } = trees;
  const tests = files.filter(isTestSide).map(({ path }) => path);
  const on = ({ base, result }: typeof trees) => {
    const both = { base, result };
    const run = () => runSuites(suite, both, mixTrees(artifacts, task, both, files), watched);
    return measurements.take("suites", SuiteRuns, run, { ...both, tests, watched });
  };
  const isOwn = ownModules([base, result].flatMap((tree) => artifacts.list(tree).map(({ path }) => path)));
  const runs = await on(trees);
  const ran = (these: SuiteRuns, on: typeof trees, notes: string[]): WhereTheyRan => {
    const problem = suiteProblem(these.before, these.after, isOwn);
    const absent = problem === null ? absentBefore(these.before, these.after, isOwn) : [];
    return { runs: these, trees: on, problem, notes: [...absent, ...notes] };
  };
  const first = ran(runs, trees, []);
  if (first.problem === null) return first;
  const lay = () => withIgnoredFiles(artifacts, task, directory, trees);
  const laid = await measurements.take("ignored files", LaidTrees.nullable(), lay, trees);
  if (!laid) return first;
  const shown = laid.paths.slice(0, 3).join(", ") + (laid.paths.length > 3 ? ` and ${laid.paths.length - 3} more` : "");
  const second = ran(await on(laid), laid, [
    `the tests run only with files that git ignores: ${shown} are in both trees`,
  ]);
  return second.problem === null || (first.problem.nothingRuns && !second.problem.nothingRuns) ? second : first;
}
