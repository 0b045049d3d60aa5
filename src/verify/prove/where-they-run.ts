import type { ChangedFile } from "../change/change-parts.ts";
import { withIgnoredFiles } from "./ignored-files.ts";
import { type MixedTrees, mixTrees } from "./mixed-trees.ts";
import type { ProveParts } from "./prove-parts.ts";
import { runSuites, type SuiteRuns } from "./run-suites.ts";
import { suiteProblem } from "./suite-problem.ts";
import type { SuiteRunner } from "./suite-runner.ts";

export interface WhereTheyRan {
  runs: SuiteRuns | null;
  trees: { base: string; result: string };
  mixed: MixedTrees;
  /** Why no test runs here at all, whatever the change does; null: some do. */
  problem: string | null;
  notes: string[];
}

/** The runs, and the trees they ran on: with files that git ignores where no test can be loaded without them. */
export async function runWhereTheyRun(
  { artifacts, task }: Pick<ProveParts, "artifacts" | "task">,
  directory: string,
  suite: SuiteRunner | null,
  trees: { base: string; result: string },
  files: ChangedFile[],
  watched: string[],
): Promise<WhereTheyRan> {
  const mix = (both: typeof trees) => mixTrees(artifacts, task, both, files);
  const mixed = mix(trees);
  if (!suite) return { runs: null, trees, mixed, problem: null, notes: [] };
  const on = (both: typeof trees) => runSuites(suite, both, mix(both), watched);
  const runs = await on(trees);
  const problem = suiteProblem(runs.before, runs.after);
  const laid = problem !== null ? await withIgnoredFiles(artifacts, task, directory, trees) : null;
  const again = laid && (await on(laid));
  if (!again || suiteProblem(again.before, again.after) !== null) return { runs, trees, mixed, problem, notes: [] };
  const shown = laid.paths.slice(0, 3).join(", ") + (laid.paths.length > 3 ? ` and ${laid.paths.length - 3} more` : "");
  return {
    runs: again,
    trees: laid,
    mixed: mix(laid),
    problem: null,
    notes: [`the tests run only with files that git ignores: ${shown} are in both trees`],
  };
}
