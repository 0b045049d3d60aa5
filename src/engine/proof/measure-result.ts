import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import { canCarry, type HeldOutTest, heldOutId, mustRun } from "../../domain/evidence/held-out.ts";
import { isNamed } from "../../domain/evidence/match-test.ts";
import { Measured } from "../../domain/evidence/measured.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { traceTests } from "../../languages/trace-tests.ts";
import { changedLines } from "../../verify/change/changed-lines.ts";
import { isTestPath } from "../../verify/change/is-test-path.ts";
import { watchedPaths } from "../../verify/coverage/changed-line-coverage.ts";
import { measureTests } from "../../verify/measure/measure-tests.ts";
import { meetOwnSuite } from "../../verify/measure/meet-own-suite.ts";
import { type OwnSuite, repeatOnResult } from "../../verify/measure/repeat-on-result.ts";
import { judgedTree } from "../gate/judged-tree.ts";
import type { Run } from "../hands/run.ts";

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
export function measureResult(run: Run, measuring: Measuring): Promise<Measured> {
  const { tree, against, result, visible, budgetMs, repeats, own } = measuring;
  const files = [...visible, ...dueFiles(measuring)];
  const ownTests = own && { flaky: own.flaky, tests: own.baseline.tests.map(({ id }) => id) };
  const input = { tree, against, files, budgetMs, repeats, ...(own !== undefined && { own: ownTests }) };
  return run.step({ kind: "tool", name: "mutants", input, output: Measured }, async ({ emit }) => {
    const { artifacts, checkouts, parsers, sandbox, signal, onProgress } = run.parts;
    onProgress("which lines the tests run", 0, 0);
    const texts = files.map(({ path, content }) => ({ path, content }));
    const given = new Set(files.map((file) => file.path));
    const before = result === tree ? against : tree;
    const finished = await judgedTree(run, { base: before, tree: result });
    const laid = artifacts.overlay(run.task, result === tree ? finished : tree, texts);
    const changed = new Map(
      [...changedLines(artifacts, against, tree)].filter(([path]) => !given.has(path) && !isTestPath(path)),
    );
    const read = (path: string) => artifacts.readFile(laid, path)?.toString("utf8") ?? null;
    const { language } = measuring;
    const toolchain = await run.parts.languages.toolchain(language, run.request.directory, tree);
    const { limits } = run.settings.sandbox;
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
      const repeat = async () => {
        onProgress("the tests once more, in another order", 0, 0);
        const repeated = await repeatOnResult(artifacts, around, {
          before,
          after: result === tree ? laid : artifacts.overlay(run.task, finished, texts),
          given,
          known: result === tree ? traced : null,
          own: own ?? null,
          repeats,
          layOut: async (held) => (await workspace("unseen", held)).directory,
        });
        // On the code before, what is red is new: tests of the new form of what stays.
        return result === tree ? withRedTogether(repeated, traced.report, requirements) : repeated;
      };
      const tested = {
        ...around,
        read,
        traced,
        parsers,
        makeWorkspace: workspace,
        onMutants: (done: number, of: number) => onProgress("mutants", done, of),
      };
      const layOut = async () => (await workspace("unseen")).directory;
      const first = await measureTests({
        tree: tested,
        changed,
        repeat,
        mutants: {
          requirements,
          budgetMs: roomFor(budgetMs, traced.report.durationMs),
          inData: { layOut, budgetMs },
        },
      });
      const mutants = first.mutants && own && (await meetOwnSuite(tested, first.mutants, { own, layOut, budgetMs }));
      const measured = mutants ? { ...first, mutants } : first;
      emit({ type: "coverage-measured", share: measured.coverage?.share ?? null });
      return measured;
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

/** Each of these tests passed in a process of its own. A test that fails here, beside the others, is flaky. */
function withRedTogether(
  flakes: FlakeReport,
  report: TestReport,
  requirements: readonly { tests: string[] }[],
): FlakeReport {
  const known = new Set(flakes.flipped.map(({ id }) => id));
  const needed = new Set(requirements.flatMap(({ tests }) => tests));
  const red = report.tests
    .filter((test) => needed.has(test.id) && !known.has(test.id) && isRed(test))
    .map(({ id, message }) => ({ id, outcomes: ["passed", "red"], message }));
  return { ...flakes, flipped: [...flakes.flipped, ...red] };
}

/**
 * The tests of each requirement. What a requirement kept is shown by tests that the coder never saw alone: those it saw
 * passed before as well, and say nothing of what it did.
 */
function testsByRequirement(
  { visible, heldOutFiles, heldOut }: Measuring,
  report: TestReport,
): { id: string; tests: string[] }[] {
  const carrying = heldOut.filter(canCarry);
  const counting = new Set(carrying.map(heldOutId));
  const brought = new Set(carrying.filter(({ before }) => before === "red").map(({ requirement }) => requirement));
  const kept = new Set(carrying.map(({ requirement }) => requirement).filter((id) => !brought.has(id)));
  const found = new Map<string, string[]>();
  const add = (file: TestFile, counts: (id: string, requirement: string) => boolean) => {
    for (const { test: name, requirement } of file.covers) {
      if (!counts(heldOutId({ file: file.path, test: name }), requirement)) continue;
      const ids = report.tests.filter((test) => isNamed(test, file.path, name)).map((test) => test.id);
      found.set(requirement, [...(found.get(requirement) ?? []), ...ids]);
    }
  };
  for (const file of visible) add(file, (_, requirement) => !kept.has(requirement));
  for (const file of heldOutFiles) add(file, (id) => counting.has(id));
  return [...found].map(([id, tests]) => ({ id, tests: [...new Set(tests)] }));
}

/** The unseen tests that still count. */
export function dueFiles({ heldOutFiles, heldOut }: Pick<Measuring, "heldOutFiles" | "heldOut">): TestFile[] {
  const due = new Set(heldOut.filter(mustRun).map(heldOutId));
  return heldOutFiles.filter((file) => file.covers.some(({ test }) => due.has(heldOutId({ file: file.path, test }))));
}
