import { hasLine } from "../../domain/evidence/line-range.ts";
import { isKilled, type Mutant, type MutantReport, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import { mutateTree } from "../measure/mutate-tree.ts";
import { selectTests } from "../mutants/select-tests.ts";
import { chooseMutants } from "./choose-mutants.ts";
import type { TouchedTest } from "./compare-tests.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { SuiteRunner } from "./suite-runner.ts";
import { testedTree } from "./tested-tree.ts";

/** One version of the code under both versions of the tests. */
export interface BothVersions {
  /** The code with the tests as they were. */
  old: string;
  /** The same code with the tests as they are. */
  now: string;
  /** Lines of this code that are in question: on the old code only what still stands in the new. */
  counts: (mutant: Mutant) => boolean;
}

/** A test, and small changes of the code that its old version noticed and nothing notices any more. */
export interface LostTest {
  test: string;
  mutants: string[];
}

export interface NoticedLoss {
  lost: LostTest[];
  /** How many small changes the old version of each test noticed. */
  noticed: ReadonlyMap<string, number>;
  /** Tests of which this could not be told, and why. */
  untold: ReadonlyMap<string, string>;
}

interface LossRequest {
  parts: ProveParts;
  suite: SuiteRunner;
  trees: BothVersions;
  touched: readonly TouchedTest[];
  /** Code that tests may run. */
  paths: string[];
  /** Test files of the tree as it is. */
  present: ReadonlySet<string>;
  budgetMs: number;
}

const NAMED = 3;
/** Of the time: the old tests, those that took their place, all others. */
const SHARES = { old: 0.4, heirs: 0.3, all: 0.3 };

/**
 * Whether something still notices what these tests noticed. Mutants of the code they run are shown to their old versions;
 * what these notice is shown to the tests in the same files as they are now, and what is left to the whole suite. Only a
 * mutant that an old version notices twice, and that no test of the new suite notices, is lost.
 */
export async function noticeLoss(request: LossRequest): Promise<NoticedLoss> {
  const { parts, suite, trees, touched, paths, present, budgetMs } = request;
  const untold = new Map<string, string>();
  const noticed = new Map<string, number>();
  const give = (tests: Iterable<string>, why: string) => {
    for (const test of tests) untold.set(test, why);
  };
  const all = touched.map(({ test }) => test);
  const files = [...new Set(touched.map(({ files: [own = ""] }) => own))];
  const traced = await suite.trace("changed tests as they were", trees.old, paths, files);
  const green = new Set(traced.report.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
  const asked = all.filter((test) => green.has(test));
  give(
    all.filter((test) => !green.has(test)),
    "its old version is not green by itself",
  );
  const tree = testedTree(parts, suite, trees.old, traced);
  const mutants = await chooseMutants(tree, asked, paths, trees.counts);
  const own = touched.filter(({ test, touch }) => touch === "own" && green.has(test));
  const requirements = own.map(({ test }) => ({ id: test, tests: [test] }));
  const first = await mutateTree(tree, "what changed tests noticed", {
    mutants,
    tests: asked,
    requirements,
    budgetMs: budgetMs * SHARES.old,
  });
  if (!first || first.problem !== null) {
    give(asked, first?.problem ?? "there is no small change of the code it runs that could be tried");
    return { lost: [], noticed, untold };
  }
  const seen = first.results.filter((result) => result.fate === "killed" && result.killedBy.length > 0);
  for (const test of asked) noticed.set(test, seen.filter(({ killedBy }) => killedBy.includes(test)).length);
  give(lateTests(first, traced, asked), "the time for it was up (--budget)");
  const left = await stillUnnoticed(
    request,
    seen,
    files.filter((file) => present.has(file)),
    give,
  );
  const again = await mutateTree(tree, "what nothing notices any more", {
    mutants: left.map(({ mutant }) => mutant),
    tests: asked,
    budgetMs,
  });
  const twice = new Set(again?.results.filter(isKilled).map(({ mutant }) => mutant.id));
  return { lost: lostBy(left.filter(({ mutant }) => twice.has(mutant.id))), noticed, untold };
}

/** Of what old versions noticed: what no test notices now. */
async function stillUnnoticed(
  { parts, suite, trees, touched, present, budgetMs }: LossRequest,
  seen: MutantResult[],
  files: string[],
  give: (tests: Iterable<string>, why: string) => void,
): Promise<MutantResult[]> {
  const heirs = [...new Set([...files, ...touched.flatMap((one) => one.files)])].filter((file) => present.has(file));
  const gone = new Set(touched.filter(({ gone: isGone }) => isGone).map(({ test }) => test));
  let left = seen;
  for (const [asked, share] of [
    [heirs, SHARES.heirs],
    [[], SHARES.all],
  ] as const) {
    if (left.length === 0 || (share === SHARES.heirs && asked.length === 0)) continue;
    const paths = [...new Set(left.map(({ mutant }) => mutant.path))];
    const traced = await suite.trace("the tests as they are, to see which lines they run", trees.now, paths, [
      ...asked,
    ]);
    const tests = traced.report.tests
      .filter(({ id, outcome }) => outcome === "passed" && !(trees.now === trees.old && gone.has(id)))
      .map(({ id }) => id);
    const mutants = left.map(({ mutant }) => mutant);
    const tree = testedTree(parts, suite, trees.now, traced);
    const report = await mutateTree(tree, "what old tests noticed", { mutants, tests, budgetMs: budgetMs * share });
    const results = new Map(report?.results.map((result) => [result.mutant.id, result]));
    const fateOf = ({ mutant }: MutantResult) => results.get(mutant.id);
    left = left.filter((one) => {
      const now = fateOf(one);
      return !now || !isKilled(now);
    });
    if (share !== SHARES.all) continue;
    const why = (one: MutantResult): string | null => {
      if (!report || report.problem !== null) return report?.problem ?? "no mutant could be tried";
      if (fateOf(one)?.fate !== "survived") return "the time for it was up (--budget)";
      return couldBeNoticedByRed(one.mutant, traced) ? "tests in its place are red on the old code" : null;
    };
    for (const one of left) {
      const reason = why(one);
      if (reason !== null) give(one.killedBy, reason);
    }
    left = left.filter((one) => why(one) === null);
  }
  return left;
}

/** A test that is red on this code may be the one that notices, and cannot be asked. */
function couldBeNoticedByRed(mutant: Mutant, { report, lines }: TracedRun): boolean {
  const red = report.tests.filter(isRed).map(({ id }) => id);
  return red.length > 0 && selectTests(mutant, lines, red).length > 0;
}

/** Tests of which more mutants were left over than tried. */
function lateTests({ results }: MutantReport, { lines }: TracedRun, tests: readonly string[]): string[] {
  const count = (test: string, isLate: boolean) =>
    results.filter(
      ({ mutant, fate }) => (fate === "not-run") === isLate && selectTests(mutant, lines, tests).includes(test),
    ).length;
  return tests.filter((test) => count(test, true) > count(test, false));
}

function lostBy(results: readonly MutantResult[]): LostTest[] {
  const byTest = new Map<string, Mutant[]>();
  const sharpFirst = [...results].sort((a, b) => b.expectedBy.length - a.expectedBy.length);
  for (const { mutant, killedBy } of sharpFirst) {
    for (const test of killedBy) byTest.set(test, [...(byTest.get(test) ?? []), mutant]);
  }
  return [...byTest].map(([test, mutants]) => ({
    test,
    mutants: mutants.slice(0, NAMED).map(({ path, line, description }) => `${path}:${line} ${description}`),
  }));
}

/** Whether a mutant is in none of these lines. */
export const outside =
  (lines: ReadonlyMap<string, readonly { from: number; to: number }[]>) =>
  ({ path, line }: Mutant): boolean =>
    !hasLine(lines.get(path) ?? [], line);
