import { passes, type TestReport } from "../../domain/evidence/test-report.ts";
import { TidiedTests } from "../../domain/evidence/tidied-tests.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ProjectCheck } from "../../verify/gate/project-checks.ts";
import { type ArrangedTests, arrangeTests } from "../../verify/written-tests/arrange-tests.ts";
import { runChecks } from "../gate/run-checks.ts";
import type { Run } from "../hands/run.ts";
import { runTestsIn } from "../hands/run-tests.ts";

const TIDY = "tidy-tests";

/** A proven result, and the tests it was proven by. */
export interface ProvenTests {
  base: string;
  tree: string;
  language: Language;
  visible: TestFile[];
  /** Those the coder did not see that passed and may be kept. */
  unseen: TestFile[];
  report: TestReport;
  checks: ProjectCheck[];
}

/**
 * Puts the tests of a result where a maintainer would: the code stays as it was proven. They are run again where they
 * stand then, and if one of them does otherwise there, everything stays as it was.
 */
export async function tidyTests(run: Run, proven: ProvenTests): Promise<TidiedTests> {
  const { tree, visible, unseen } = proven;
  const asItIs: TidiedTests = { tree, full: null, moved: [], more: 0 };
  // Recordings that were made before this step existed do not have it.
  if (!(run.isNext(TIDY) ?? true)) return asItIs;
  const input = { tree, visible: visible.map(({ path }) => path), unseen };
  return run.step({ kind: "tool", name: TIDY, input, output: TidiedTests }, async ({ emit }) => {
    const seen = await tried(run, proven, []);
    const moved = seen?.arranged.moved ?? [];
    const all = unseen.length > 0 ? await tried(run, proven, unseen) : null;
    const more = unseen.reduce((sum, { covers }) => sum + new Set(covers.map(({ test }) => test)).size, 0);
    const tidied = { tree: seen?.tree ?? tree, full: all?.tree ?? null, moved, more: all ? more : 0 };
    if (moved.length > 0 || all) emit({ type: "tests-tidied", moved, more: tidied.more });
    return tidied;
  });
}

/** The tree with these tests in it, where they do what they did; null where they do not, or where nothing would change. */
async function tried(
  run: Run,
  proven: ProvenTests,
  unseen: TestFile[],
): Promise<{ tree: string; arranged: ArrangedTests } | null> {
  const { artifacts, parsers } = run.parts;
  const { base, tree, language, visible } = proven;
  const changed = artifacts.changes(base, tree).map(({ path }) => path);
  const read = (path: string) => artifacts.readFile(tree, path)?.toString("utf8") ?? null;
  const arranged = await arrangeTests(parsers, {
    visible,
    unseen,
    read,
    changed: changed.filter((path) => !language.isTestFile(path) && grammarOf(path) !== null),
    tests: artifacts.list(base).flatMap(({ path }) => {
      const content = language.isTestFile(path) ? read(path) : null;
      return content === null ? [] : [{ path, content }];
    }),
  });
  if (arranged.files.length === 0) return null;
  const laid = artifacts.overlay(run.task, tree, arranged.files);
  const tidied = arranged.gone.length > 0 ? artifacts.withoutPaths(run.task, laid, arranged.gone) : laid;
  return (await isTheSame(run, proven, tidied, arranged)) ? { tree: tidied, arranged } : null;
}

async function isTheSame(
  run: Run,
  { language, report, checks }: ProvenTests,
  tree: string,
  { files, moved }: ArrangedTests,
): Promise<boolean> {
  const paths = files.map(({ path }) => path);
  const again = await runTestsIn(run, { checkout: "gate", tree, language, files: paths });
  if (!passes(again)) return false;
  const homes = new Map(moved.map(({ from, to }) => [from, to]));
  const outcomes = new Map(again.tests.map(({ file, name, outcome }) => [`${file}\n${name}`, outcome]));
  const held = report.tests.every(({ file, name, outcome }) => {
    const home = homes.get(file) ?? file;
    return !paths.includes(home) || outcomes.get(`${home}\n${name}`) === outcome;
  });
  return held && (await runChecks(run, tree, language, checks)).every(({ fresh }) => fresh.length === 0);
}
