import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { flipsBetween } from "../flakes/find-flakes.ts";
import { repeatFairly } from "../flakes/repeat-fairly.ts";
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
  const onBase = suite.varied("tests of the base under these conditions", taken.base);
  return repeatFairly({ base: flakes, before, after, tests, run, onBase, repeats, canShuffle, atOnce: true });
}
