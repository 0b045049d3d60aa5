import type { FlakeReport } from "../../domain/flake-report.ts";
import { flipsBetween, repeatTests } from "../flakes/find-flakes.ts";
import type { SuiteRuns } from "./run-suites.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/**
 * New tests and those that run changed lines once more, in another order and at another hour. One that flips there on
 * the base as well was so before the change: it is quarantined, not held against it.
 */
export async function repeatChanged(
  suite: SuiteRunner,
  { base, result }: { base: string; result: string },
  { before, after, base: flakes }: SuiteRuns,
  tests: string[],
): Promise<FlakeReport | null> {
  if (after?.ending !== "completed") return null;
  const canShuffle = suite.canShuffle(result);
  const run = suite.varied("tests again, under other conditions", result);
  const report = await repeatTests({ base: flakes, after, tests, run, canShuffle });
  if (report.flipped.length === 0 || !before) return report;
  const known = new Map(before.tests.map((test) => [test.id, test]));
  const files = [...new Set(report.flipped.flatMap(({ id }) => known.get(id)?.file ?? []))].sort();
  if (files.length === 0) return report;
  const runs = [before];
  const onBase = suite.varied("tests of the base under these conditions", base);
  for (const condition of report.repeats) runs.push(await onBase(condition, files));
  const old = new Set(flipsBetween(runs, new Set(files)).map(({ id }) => id));
  return {
    ...report,
    quarantined: [...new Set([...report.quarantined, ...old])].sort(),
    flipped: report.flipped.filter(({ id }) => !old.has(id)),
  };
}
