import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import { type HeldOutTest, heldOutId, mustRun } from "../../domain/evidence/held-out.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import { changedLines } from "../../verify/changed-lines.ts";
import { changedLineCoverage, watchedPaths } from "../../verify/coverage/changed-line-coverage.ts";
import { isNamed } from "../../verify/match-test.ts";
import { Measured, type Notice } from "../../verify/measured.ts";
import { makeMutants } from "../../verify/mutants/make-mutants.ts";
import { noticesOf } from "../../verify/mutants/notice.ts";
import { runMutants } from "../../verify/mutants/run-mutants.ts";
import { noticesInData } from "../../verify/mutants/spoil-data.ts";
import { spread } from "../../verify/mutants/spread.ts";
import type { Run } from "../hands/run.ts";
import { type OwnSuite, repeatOnResult } from "./repeat-tests.ts";

export interface Measuring {
  /** The tree whose lines are mutated, and the tree it is compared with. */
  tree: string;
  against: string;
  /** Which of these two is the finished change. */
  result: string;
  language: Language;
  visible: TestFile[];
  heldOutFiles: TestFile[];
  heldOut: HeldOutTest[];
  budgetMs: number;
  /** How often the tests are repeated under other conditions. */
  repeats: number;
  /**
   * The project's own tests. Those that run changed lines are repeated, too. Absent in tasks frozen before this field
   * existed.
   */
  own?: OwnSuite | null;
}

/**
 * Finds out whether these tests can fail. Mutants change the changed lines in small ways, and some test must notice
 * each. The tests also run again in another order, with another seed and at another hour.
 */
export function measureTests(run: Run, measuring: Measuring): Promise<Measured> {
  const { tree, against, result, visible, budgetMs, repeats, own } = measuring;
  const files = [...visible, ...dueFiles(measuring)];
  const ownTests = own && { flaky: own.flaky, tests: own.baseline.tests.map(({ id }) => id) };
  const input = { tree, against, files, budgetMs, repeats, ...(own !== undefined && { own: ownTests }) };
  return run.step({ kind: "tool", name: "mutants", input, output: Measured }, async ({ emit }) => {
    const { artifacts, journal, checkouts, parsers, sandbox, signal } = run.parts;
    const texts = files.map(({ path, content }) => ({ path, content }));
    const laid = artifacts.overlay(journal.task, tree, texts);
    const given = new Set(files.map((file) => file.path));
    const changed = new Map([...changedLines(artifacts, against, tree)].filter(([path]) => !given.has(path)));
    const read = (path: string) => artifacts.readFile(laid, path)?.toString("utf8") ?? null;
    const { language } = measuring;
    const toolchain = await run.parts.languages.toolchain(language, journal.frozen.request.directory);
    const { limits } = journal.frozen.settings.sandbox;
    const used = new Set<string>();
    const workspace = async (name: string, held = laid) => {
      used.add(name);
      const checkout = checkouts.named(name);
      await checkout.renew(held);
      return { directory: checkout.directory, renew: () => checkout.renew(held) };
    };
    const around = { language, toolchain, sandbox, limits, signal };
    try {
      const { directory } = await workspace("unseen");
      const paths = watchedPaths(changed);
      const traced = await traceTests({ ...around, workspace: directory, files: [...given], paths, read });
      const requirements = testsByRequirement(measuring, traced.report);
      const repeated = await repeatOnResult(run, {
        before: result === tree ? against : tree,
        after: result === tree ? laid : artifacts.overlay(journal.task, result, texts),
        given,
        known: result === tree ? traced : null,
        own: own ?? null,
        repeats,
        language,
        toolchain,
        layOut: async (held) => (await workspace("unseen", held)).directory,
      });
      const flakes = {
        ...repeated,
        // On the tree before the change, red tests are no flakes: they test the new form of behaviour that stays.
        flipped:
          result === tree
            ? [...repeated.flipped, ...redTogether(traced.report, requirements, repeated)]
            : repeated.flipped,
      };
      const coverage = await changedLineCoverage({ changed, read, traced, parsers });
      emit({ type: "coverage-measured", share: coverage.share });
      const made = await Promise.all(
        [...changed].map(([path, lines]) => makeMutants({ path, content: read(path) ?? "" }, lines, parsers)),
      );
      const mutants = spread(made.flat());
      const inData = (notices: Notice[]) =>
        noticesInData({
          ...around,
          changed,
          read,
          notices,
          requirements,
          red: new Set(traced.report.tests.filter(isRed).map(({ id }) => id)),
          layOut: async () => (await workspace("unseen")).directory,
          budgetMs,
        });
      if (mutants.length === 0) {
        const notices = await inData(noticesOf(null, requirements));
        return { mutants: null, flakes, coverage, why: "no changed line has anything to mutate", notices };
      }
      const report = await runMutants({
        ...around,
        mutants,
        read,
        baseline: traced,
        requirements,
        makeWorkspace: workspace,
        budgetMs: roomFor(budgetMs, traced.report.durationMs),
      });
      const notices = await inData(noticesOf(report, requirements));
      return { mutants: report, flakes, coverage, why: report.problem ?? "", notices };
    } finally {
      for (const name of used) checkouts.named(name).clear();
    }
  });
}

/** On a slow or busy machine the same tests need more time. */
const roomFor = (budgetMs: number, testRunMs: number) =>
  Math.max(budgetMs, Math.min(LONGEST_BUDGET_MS, TEST_RUNS_OF_MUTANTS * testRunMs));

const TEST_RUNS_OF_MUTANTS = 15;
const LONGEST_BUDGET_MS = 180_000;

/** Each of these tests passed in a process of its own. A test that is red together with the others has flipped. */
function redTogether(
  report: TestReport,
  requirements: { tests: string[] }[],
  { flipped }: FlakeReport,
): FlakeReport["flipped"] {
  const known = new Set(flipped.map(({ id }) => id));
  const needed = new Set(requirements.flatMap(({ tests }) => tests));
  return report.tests
    .filter((test) => needed.has(test.id) && !known.has(test.id) && isRed(test))
    .map(({ id, message }) => ({ id, outcomes: ["passed", "red"], message }));
}

function testsByRequirement(
  { visible, heldOutFiles, heldOut }: Measuring,
  report: TestReport,
): { id: string; tests: string[] }[] {
  const counting = new Set(heldOut.filter((test) => test.state === "unspent").map(heldOutId));
  const found = new Map<string, string[]>();
  const add = (file: TestFile, counts: (id: string) => boolean) => {
    for (const { test: name, requirement } of file.covers) {
      if (!counts(heldOutId({ file: file.path, test: name }))) continue;
      const ids = report.tests.filter((test) => isNamed(test, file.path, name)).map((test) => test.id);
      found.set(requirement, [...(found.get(requirement) ?? []), ...ids]);
    }
  };
  for (const file of visible) add(file, () => true);
  for (const file of heldOutFiles) add(file, (id) => counting.has(id));
  return [...found].map(([id, tests]) => ({ id, tests: [...new Set(tests)] }));
}

function dueFiles({ heldOutFiles, heldOut }: Measuring): TestFile[] {
  const due = new Set(heldOut.filter(mustRun).map(heldOutId));
  return heldOutFiles.filter((file) => file.covers.some(({ test }) => due.has(heldOutId({ file: file.path, test }))));
}
