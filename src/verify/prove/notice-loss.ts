import { z } from "zod";
import { hasLine } from "../../domain/evidence/line-range.ts";
import { isKilled, type Mutant, type MutantReport, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import { isRed } from "../../domain/evidence/test-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import { mutateTree } from "../measure/mutate-tree.ts";
import { selectTests } from "../mutants/select-tests.ts";
import { chooseMutants } from "./choose-mutants.ts";
import type { TouchedTest } from "./compare-tests.ts";
import type { ProveParts } from "./prove-parts.ts";
import { Counts, Names, Texts } from "./recorded-names.ts";
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
  /** It is the code before the change: its lines are not those that a reader has before them. */
  isBase: boolean;
}

/** A test, and small changes of the code that its old version noticed and nothing notices any more. */
const LostTest = z.object({
  test: z.string(),
  mutants: z.array(z.string()),
  /** It only takes for the same what is nearly the same. */
  alike: z.boolean().default(false),
});
export type LostTest = z.infer<typeof LostTest>;

export const NoticedLoss = z.object({
  lost: z.array(LostTest),
  /** How many small changes the old version of each test noticed. */
  noticed: Counts,
  /** Tests that were edited and notice nothing any more of what they noticed, though others do. */
  numb: Names,
  /** Tests of which this could not be told, and why. */
  untold: Texts,
});
export type NoticedLoss = z.infer<typeof NoticedLoss>;

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
/** So many mutants of the lines that a test runs tell what it notices. */
const ENOUGH = 12;
/** Of the time: the old tests, those that took their place, all others. */
const SHARES = { old: 0.4, heirs: 0.3, all: 0.3 };

/**
 * Whether something still notices what these tests noticed. Mutants of the code they run are shown to their old versions;
 * what these notice is shown to the tests in the same files as they are now, and what is left to the whole suite. Only a
 * mutant that an old version notices twice, and that no test of the new suite notices, is lost.
 */
export async function noticeLoss(request: LossRequest): Promise<NoticedLoss> {
  const { parts, suite, trees, touched, paths, budgetMs } = request;
  const untold = new Map<string, string>();
  const give = (tests: Iterable<string>, why: string) => {
    for (const test of tests) untold.set(test, why);
  };
  const files = [...new Set(touched.map(({ files: [own = ""] }) => own))];
  const traced = await suite.trace("changed tests as they were", trees.old, paths, files);
  const green = new Set(traced.report.tests.filter(({ outcome }) => outcome === "passed").map(({ id }) => id));
  const known = touched.filter(({ test }) => green.has(test));
  const asked = known.map(({ test }) => test);
  const others = touched.filter((one) => !known.includes(one)).map(({ test }) => test);
  give(others, "its old version is not green by itself");
  const tree = testedTree(parts, suite, trees.old, traced);
  const mutants = await chooseMutants(tree, asked, paths, trees.counts);
  const own = known.filter(({ touch }) => touch !== "shared");
  const requirements = own.map(({ test }) => ({ id: test, tests: [test] }));
  const first = await mutateTree(tree, "what changed tests noticed", {
    mutants,
    tests: asked,
    requirements,
    budgetMs: budgetMs * SHARES.old,
  });
  if (!first || first.problem !== null) {
    give(asked, first?.problem ?? "there is no small change of the code it runs that could be tried");
    return { lost: [], noticed: new Map(), numb: new Set(), untold };
  }
  const seen = first.results.filter((result) => result.fate === "killed" && result.killedBy.length > 0);
  const noticed = new Map(
    asked.map((test) => [test, seen.filter(({ killedBy }) => killedBy.includes(test)).length] as const),
  );
  give(lateTests(first, traced, asked), "the time for mutants of the code it runs was up (--budget)");
  const byHeirs = await askHeirs(request, seen, own);
  const left = await askAll(request, byHeirs.left, give);
  const again = await mutateTree(tree, "what nothing notices any more", {
    mutants: left.map(({ mutant }) => mutant),
    tests: asked,
    budgetMs,
  });
  const twice = new Set(again?.results.filter(isKilled).map(({ mutant }) => mutant.id));
  const lost = lostBy(
    left.filter(({ mutant }) => twice.has(mutant.id)),
    trees.isBase,
  );
  return { lost, noticed, numb: byHeirs.numb, untold };
}

/** What the tests in the same files as they are now do not notice, and which of them notice nothing at all. */
async function askHeirs(
  { parts, suite, trees, touched, present, budgetMs }: LossRequest,
  seen: MutantResult[],
  own: readonly TouchedTest[],
): Promise<{ left: MutantResult[]; numb: Set<string> }> {
  const files = [...new Set(touched.flatMap((one) => one.files))].filter((file) => present.has(file));
  if (seen.length === 0 || files.length === 0) return { left: seen, numb: new Set() };
  const what = "the tests as they are, to see which lines they run";
  const traced = await suite.trace(what, trees.now, pathsOf(seen), files);
  const heirs = own.flatMap(({ test, now }) => (now === null ? [] : [{ test, now }]));
  const report = await mutateTree(testedTree(parts, suite, trees.now, traced), "what old tests noticed", {
    mutants: seen.map(({ mutant }) => mutant),
    tests: passing(trees, touched, traced),
    requirements: heirs.map(({ now }) => ({ id: now, tests: [now] })),
    budgetMs: budgetMs * SHARES.heirs,
  });
  if (!report || report.problem !== null) return { left: seen, numb: new Set() };
  const fates = new Map(report.results.map((result) => [result.mutant.id, result]));
  const ran = report.results.every(({ fate }) => fate !== "not-run");
  const notices = (now: string) => report.results.some(({ killedBy }) => killedBy.includes(now));
  const noticedBefore = (test: string) => seen.some(({ killedBy }) => killedBy.includes(test));
  const numb = heirs.filter(({ test, now }) => ran && noticedBefore(test) && !notices(now)).map(({ test }) => test);
  const left = seen.filter(({ mutant }) => {
    const now = fates.get(mutant.id);
    return !now || !isKilled(now);
  });
  return { left, numb: new Set(numb) };
}

/** What no test of the whole suite notices; what could not be tried is said of the tests that noticed it. */
async function askAll(
  { parts, suite, trees, touched, budgetMs }: LossRequest,
  left: MutantResult[],
  give: (tests: Iterable<string>, why: string) => void,
): Promise<MutantResult[]> {
  if (left.length === 0) return [];
  const traced = await suite.trace("all tests as they are, to see which lines they run", trees.now, pathsOf(left));
  const report = await mutateTree(testedTree(parts, suite, trees.now, traced), "what old tests noticed", {
    mutants: left.map(({ mutant }) => mutant),
    tests: passing(trees, touched, traced),
    budgetMs: budgetMs * SHARES.all,
  });
  const fates = new Map(report?.results.map((result) => [result.mutant.id, result]));
  return left.filter((one) => {
    const now = fates.get(one.mutant.id);
    if (now && isKilled(now)) return false;
    const why =
      !report || report.problem !== null
        ? (report?.problem ?? "no mutant could be tried")
        : now?.fate !== "survived"
          ? "the time for asking all other tests was up (--budget)"
          : couldBeNoticedByRed(one.mutant, traced)
            ? "tests in its place are red on the old code"
            : null;
    if (why !== null) give(one.killedBy, why);
    return why === null;
  });
}

const pathsOf = (results: readonly MutantResult[]): string[] => [...new Set(results.map(({ mutant }) => mutant.path))];

/** Where the change only takes tests away, the tree is the one that still has them. */
function passing(trees: BothVersions, touched: readonly TouchedTest[], { report }: TracedRun): string[] {
  const gone = new Set(trees.now === trees.old ? touched.flatMap(({ test, now }) => (now === null ? [test] : [])) : []);
  return report.tests.filter(({ id, outcome }) => outcome === "passed" && !gone.has(id)).map(({ id }) => id);
}

/** A test that is red on this code may be the one that notices, and cannot be asked. */
function couldBeNoticedByRed(mutant: Mutant, { report, lines }: TracedRun): boolean {
  const red = report.tests.filter(isRed).map(({ id }) => id);
  return red.length > 0 && selectTests(mutant, lines, red).length > 0;
}

/** Tests of which too few mutants were tried. The most telling ones come first, so that not all are needed. */
function lateTests({ results }: MutantReport, { lines }: TracedRun, tests: readonly string[]): string[] {
  return tests.filter((test) => {
    const own = results.filter(({ mutant }) => selectTests(mutant, lines, tests).includes(test));
    const tried = own.filter(({ fate }) => fate !== "not-run").length;
    return tried < Math.min(own.length, ENOUGH);
  });
}

/** What was lost, test by test, each small change by its line in the text that a person has to look at. */
export function lostBy(results: readonly MutantResult[], isBase: boolean): LostTest[] {
  const byTest = new Map<string, Mutant[]>();
  const sharpFirst = [...results].sort((a, b) => b.expectedBy.length - a.expectedBy.length);
  for (const { mutant, killedBy } of sharpFirst) {
    for (const test of killedBy) byTest.set(test, [...(byTest.get(test) ?? []), mutant]);
  }
  return [...byTest].map(([test, mutants]) => ({
    test,
    alike: mutants.every(({ operator }) => operator === "alike"),
    mutants: mutants
      .slice(0, NAMED)
      .map(({ path, line, description }) => `${path}:${line}${isBase ? " (before the change)" : ""} ${description}`),
  }));
}

/** Whether a mutant is in none of these lines. */
export const outside =
  (lines: ReadonlyMap<string, readonly { from: number; to: number }[]>) =>
  ({ path, line }: Mutant): boolean =>
    !hasLine(lines.get(path) ?? [], line);
