import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { runTests } from "../../languages/run-tests.ts";
import { suiteLimits } from "../../languages/suite-limits.ts";
import { type TracedRun, traceTests } from "../../languages/trace-tests.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import { changedLines } from "../change/changed-lines.ts";
import { isTestPath } from "../change/is-test-path.ts";
import { testsOfLines, watchedPaths } from "../coverage/changed-line-coverage.ts";
import { repeatFairly } from "../flakes/repeat-fairly.ts";
import { canShuffle, variedRuns } from "../flakes/run-varied.ts";
import type { Surroundings } from "../mutants/surroundings.ts";

/** The project's own tests as they were before the change. */
export interface OwnSuite {
  baseline: TestReport;
  /** Tests that are flaky without any change. */
  flaky: string[];
}

interface Repeating {
  /** The tree before the change, and the finished one with the new tests laid over it. */
  before: string;
  after: string;
  /** The files of the new tests. */
  given: ReadonlySet<string>;
  /** A run of these tests on the finished change, if there was one. */
  known: TracedRun | null;
  own: OwnSuite | null;
  repeats: number;
  /** A clean directory that holds this tree. */
  layOut(tree: string): Promise<string>;
}

/** A slower suite is not traced again for this purpose alone. */
const LONGEST_WATCHED_MS = 60_000;
const TOO_LONG = "tests of the project: the suite takes too long to be watched once more";

/** The new tests, and those of the project that run changed lines, again under other conditions. */
export async function repeatOnResult(
  artifacts: ArtifactStore,
  around: Surroundings,
  repeating: Repeating,
): Promise<FlakeReport> {
  const { before, after, given, known, own, repeats, layOut } = repeating;
  const isLong = own !== null && own.baseline.durationMs > LONGEST_WATCHED_MS;
  const changed = new Map(
    [...changedLines(artifacts, before, after)].filter(([path]) => !given.has(path) && !isTestPath(path)),
  );
  const paths = watchedPaths(changed);
  const watched =
    own === null || isLong || paths.length === 0
      ? null
      : await traceTests({
          ...around,
          limits: suiteLimits(around.limits, own.baseline),
          workspace: await layOut(after),
          files: [],
          paths,
          read: (path) => artifacts.readFile(after, path)?.toString("utf8") ?? null,
        });
  const report =
    watched?.report ??
    known?.report ??
    (await runTests({ ...around, workspace: await layOut(after), files: [...given] }));
  const looking = new Set((watched?.lines && testsOfLines(watched, changed)) ?? []);
  const flakes = await repeatFairly({
    base: own && { first: own.baseline, second: own.baseline, flaky: own.flaky, shuffles: null },
    before: own?.baseline ?? null,
    after: report,
    tests: report.tests.filter(({ id, file }) => given.has(file) || looking.has(id)).map(({ id }) => id),
    repeats,
    run: variedRuns({ ...around, cleanWorkspace: () => layOut(after) }),
    onBase: variedRuns({ ...around, cleanWorkspace: () => layOut(before) }),
    canShuffle: canShuffle(around.toolchain.runner),
  });
  return isLong ? { ...flakes, notVaried: [...flakes.notVaried, TOO_LONG] } : flakes;
}
