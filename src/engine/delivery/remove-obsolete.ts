import { RemovedTests } from "../../domain/evidence/removed-tests.ts";
import { isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import { suiteLimits } from "../../languages/suite-limits.ts";
import { takeOutTests } from "../../verify/written-tests/take-out-tests.ts";
import { runChecks } from "../gate/run-checks.ts";
import type { Run } from "../hands/run.ts";
import { runTestsIn } from "../hands/run-tests.ts";
import type { ProvenTests } from "./tidy-tests.ts";

const REMOVE = "remove-obsolete";

type Proven = Pick<ProvenTests, "tree" | "language" | "visible" | "report" | "checks">;

/**
 * Takes the tests out of a result that the goal makes obsolete and that are red on it, so that its suite is green. The
 * suite is run again without them, and if another test does otherwise then, everything stays as it was and is said.
 * Null where there are none.
 */
export async function removeObsolete(
  run: Run,
  proven: Proven,
  superseded: readonly string[],
): Promise<RemovedTests | null> {
  const { tree, report } = proven;
  const obsolete = report.tests.filter((test) => isRed(test) && superseded.includes(test.id));
  const red = [...new Set(obsolete.map(({ id }) => id))];
  // Recordings that were made before this step existed do not have it.
  if (red.length === 0 || !(run.isNext(REMOVE) ?? true)) return null;
  const input = { tree, red };
  return run.step({ kind: "tool", name: REMOVE, input, output: RemovedTests }, async ({ emit }) => {
    const done = (await tried(run, proven, obsolete)) ?? { tree, removed: [], red };
    emit({ type: "obsolete-removed", removed: done.removed, red: done.red });
    return done;
  });
}

/** The same tree without as many of them as can be taken out alone; null where that changes what the others do. */
async function tried(run: Run, proven: Proven, obsolete: readonly TestCase[]): Promise<RemovedTests | null> {
  const { artifacts, parsers, journal } = run.parts;
  const { tree, report } = proven;
  const ids = new Set(obsolete.map(({ id }) => id));
  const files: { path: string; content: string }[] = [];
  const gone: string[] = [];
  const out = new Set<TestCase>();
  for (const path of new Set(obsolete.map(({ file }) => file))) {
    const content = artifacts.readFile(tree, path)?.toString("utf8");
    if (content === undefined) continue;
    const all = report.tests.filter(({ file }) => file === path);
    const thinned = await takeOutTests(parsers, { path, content }, all, (test) => isRed(test) && ids.has(test.id));
    if (thinned.out.length === 0) continue;
    if (thinned.content === null) gone.push(path);
    else files.push({ path, content: thinned.content });
    for (const test of thinned.out) out.add(test);
  }
  if (out.size === 0) return null;
  const laid = files.length === 0 ? tree : artifacts.overlay(journal.task, tree, files);
  const without = gone.length === 0 ? laid : artifacts.withoutPaths(journal.task, laid, gone);
  const rest = { ...report, tests: report.tests.filter((test) => !out.has(test)) };
  if (!(await isTheSame(run, { ...proven, report: rest }, without))) return null;
  const removed = [...new Set([...out].map(({ id }) => id))];
  return { tree: without, removed, red: [...ids].filter((id) => !removed.includes(id)) };
}

/** Every other test does what it did, and lint and type check have nothing new to say. */
async function isTheSame(run: Run, { language, visible, report, checks }: Proven, tree: string): Promise<boolean> {
  const limits = suiteLimits(run.settings.sandbox.limits, report);
  const fuzz = visible.map(({ path }) => path);
  const again = await runTestsIn(run, { checkout: "gate", tree, language, limits, fuzz });
  if (again.ending !== "completed" || (again.exitCode !== 0 && !again.tests.some(isRed))) return false;
  const told = (all: TestReport) =>
    all.tests
      .map(({ id, outcome }) => `${id}\n${outcome}`)
      .sort()
      .join("\n");
  if (told(again) !== told(report)) return false;
  return (await runChecks(run, tree, language, checks)).every(({ fresh }) => fresh.length === 0);
}
