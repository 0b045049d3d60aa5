import type { FlakeReport } from "../../domain/flake-report.ts";
import type { TestReport } from "../../domain/test-report.ts";
import { type BaseFlakes, flipsBetween, repeatTests, saysTheSameShuffled } from "../flakes/find-flakes.ts";
import type { SuiteRuns } from "./run-suites.ts";
import type { SuiteRunner } from "./suite-runner.ts";

interface RepeatRequest {
  suite: SuiteRunner;
  taken: { base: string; result: string };
  runs: SuiteRuns;
  /** New tests and those that run changed lines. */
  tests: string[];
  /** Another run of the result under the usual conditions; null when there was none. */
  again: TestReport | null;
}

/**
 * New tests and those that run changed lines once more, in another order and at another hour. One that flips there on
 * the base as well was so before the change: it is quarantined, not held against it. A run that agreed already is one
 * repeat less.
 */
export async function repeatChanged({ suite, taken, runs, tests, again }: RepeatRequest): Promise<FlakeReport | null> {
  const { before, after, base: flakes } = runs;
  if (after?.ending !== "completed") return null;
  const isNew = tests.some((id) => !before?.tests.some((test) => test.id === id));
  const repeats = again !== null && !isNew && flipsBetween([after, again]).length === 0 ? 1 : 2;
  const canShuffle = suite.canShuffle(taken.result);
  const run = suite.varied("tests again, under other conditions", taken.result);
  const repeated = (base: BaseFlakes | null) =>
    repeatTests({ base, after, tests, run, repeats, canShuffle, atOnce: true });
  const report = await repeated(flakes);
  if (report.flipped.length === 0 || !before) return report;
  const onBase = suite.varied("tests of the base under these conditions", taken.base);
  if (!flakes || !canShuffle || flakes.shuffles !== null) return withoutOld(report, before, onBase);
  // Only now it matters whether the base depends on its order.
  const shuffles = await saysTheSameShuffled(onBase, before, flakes.flaky);
  const fair = shuffles ? { ...report, baseShuffles: true } : await repeated({ ...flakes, shuffles });
  return withoutOld(fair, before, onBase);
}

async function withoutOld(
  report: FlakeReport,
  before: TestReport,
  onBase: ReturnType<SuiteRunner["varied"]>,
): Promise<FlakeReport> {
  const known = new Map(before.tests.map((test) => [test.id, test]));
  const files = [...new Set(report.flipped.flatMap(({ id }) => known.get(id)?.file ?? []))].sort();
  if (files.length === 0) return report;
  const others = await Promise.all(report.repeats.map((condition) => onBase(condition, files)));
  const old = new Set(flipsBetween([before, ...others], new Set(files)).map(({ id }) => id));
  return {
    ...report,
    quarantined: [...new Set([...report.quarantined, ...old])].sort(),
    flipped: report.flipped.filter(({ id }) => !old.has(id)),
  };
}
