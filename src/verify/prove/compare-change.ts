import { z } from "zod";
import type { EvidenceDocument, EvidenceTest, IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { isRed, TestReport } from "../../domain/evidence/test-report.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { changedLines } from "../change/changed-lines.ts";
import type { ChangedMeaning } from "../change/changed-units.ts";
import { isTestPath } from "../change/is-test-path.ts";
import { compareTests, type Question, type TestRuns, type TouchedTest } from "./compare-tests.ts";
import { fillGaps } from "./fill-gaps.ts";
import type { Measurements } from "./measurements.ts";
import { mixTrees } from "./mixed-trees.ts";
import { type BothVersions, type LostTest, NoticedLoss, noticeLoss, outside } from "./notice-loss.ts";
import { leaningFiles, outlineChange } from "./outline-change.ts";
import type { ProveParts } from "./prove-parts.ts";
import { sampleTouched } from "./sample-touched.ts";
import { settleTouched } from "./settle-touched.ts";
import type { SuiteRunner } from "./suite-runner.ts";

/** What the tests of both sides are worth, and what was done to them. */
export interface ComparedTests {
  tests: EvidenceTest[];
  integrity: IntegrityFinding[];
  /** Tests of the base that noticed something that nothing notices now: measured. */
  lost: LostTest[];
  /** What was done to old tests that only a person can answer. */
  questions: Question[];
  /** Checks of ours that could not be carried out. */
  undone: EvidenceDocument["notChecked"];
}

interface CompareRequest {
  parts: ProveParts;
  suite: SuiteRunner;
  measurements: Measurements;
  /** The base as it is; its tests may run on it with more files laid in. */
  base: string;
  /** The trees on which tests run. */
  taken: { base: string; result: string };
  files: ChangedFile[];
  /** What the changed files of the tests mean. */
  meaning: ChangedMeaning;
  runs: TestRuns;
  flaky: readonly string[];
  superseded: readonly string[];
  /** For measuring what old tests noticed; 0: it is asked instead. */
  budgetMs: number;
}

/** Compares the tests of the base with those of the result, by their runs and by what they notice. */
export async function compareChange(request: CompareRequest): Promise<ComparedTests> {
  const { parts, measurements, base, taken, files, meaning, flaky, superseded, budgetMs } = request;
  const known = request.runs;
  const filled = await measurements.take("mixed trees", Filled, () => fillMixed(request), taken);
  const runs = {
    ...known,
    oldOnNew: filled.oldOnNew?.report ?? known.oldOnNew,
    newOnOld: filled.newOnOld?.report ?? known.newOnOld,
  };
  const compared = compareTests({
    runs,
    outlines: await outlineChange(parts.artifacts, files, parts.parsers, meaning),
    leaning: leaningFiles(parts.artifacts, base, files, runs.before, meaning),
    flaky: new Set(flaky),
    superseded,
  });
  const { touched } = compared;
  // A change that is lost already need not wait.
  const isLost =
    runs.after.ending !== "completed" || runs.after.tests.some((test) => isRed(test) && !wasRed(runs, test.id));
  const why = isLost ? "tests are red" : budgetMs === 0 ? "no time was given for it (--budget)" : null;
  const measured =
    why === null
      ? await measurements.take(
          "comparing the tests",
          NoticedLoss,
          () => measureTouched(request, filled, touched),
          touched,
        )
      : notMeasured(touched, why);
  const left = [...measured.untold].length;
  const what = left === 1 ? "1 changed test" : `${left} changed tests`;
  const undone = left === 0 ? [] : [{ check: `what ${what} noticed`, why: [...measured.untold.values()][0] ?? "" }];
  return { ...settleTouched(compared, measured), undone };
}

const MixedTree = z.lazy(() => z.object({ tree: z.string(), report: TestReport }));
/** Null where the mixed tree tells all by itself. */
const Filled = z.object({ oldOnNew: MixedTree.nullable(), newOnOld: MixedTree.nullable() });
type Filled = z.infer<typeof Filled>;

async function fillMixed({ parts, suite, taken, files, runs }: CompareRequest): Promise<Filled> {
  const mixed = mixTrees(parts.artifacts, parts.task, taken, files);
  const fill = async (tree: string | null, report: TestReport | null, other: string) => {
    const filled = tree === null || report === null ? null : await fillGaps(parts, suite, { tree, report }, other);
    return filled?.tree === tree ? null : filled;
  };
  return {
    oldOnNew: await fill(mixed.oldTestsOnNewCode?.tree ?? null, runs.oldOnNew, taken.base),
    newOnOld: await fill(mixed.newTestsOnOldCode?.tree ?? null, runs.newOnOld, taken.result),
  };
}

const wasRed = ({ before }: TestRuns, id: string): boolean =>
  before?.tests.some((test) => test.id === id && isRed(test)) ?? false;

const notMeasured = (touched: readonly TouchedTest[], why: string): NoticedLoss => ({
  lost: [],
  noticed: new Map(),
  numb: new Set(),
  untold: new Map(touched.map(({ test }) => [test, why])),
});

/** On the new code; where a test's old version is red there, on the old code, as far as that still stands. */
async function measureTouched(
  request: CompareRequest,
  filled: Filled,
  touched: readonly TouchedTest[],
): Promise<NoticedLoss> {
  const { parts, suite, taken, files, budgetMs } = request;
  const { artifacts } = parts;
  const mixed = mixTrees(artifacts, parts.task, taken, files);
  const onNew = filled.oldOnNew?.tree ?? mixed.oldTestsOnNewCode?.tree ?? null;
  const newOnOld = filled.newOnOld?.tree ?? mixed.newTestsOnOldCode?.tree ?? null;
  // A stub that was laid in is no code of theirs.
  const isIn =
    (tree: string) =>
    ({ path, to }: Mutant): boolean =>
      to <= (artifacts.readFile(tree, path)?.toString("utf8").length ?? 0);
  const sides: [TouchedTest["greenOn"], BothVersions | null][] = [
    ["new", onNew === null ? null : { old: onNew, now: taken.result, counts: isIn(taken.result), isBase: false }],
    [
      "old",
      {
        old: taken.base,
        now: newOnOld ?? taken.base,
        counts: outside(changedLines(artifacts, taken.result, taken.base)),
        isBase: true,
      },
    ],
  ];
  const { asked, left } = sampleTouched(touched);
  const found = [notMeasured(left, "too many tests were edited")];
  for (const [greenOn, trees] of sides) {
    const own = asked.filter((one) => one.greenOn === greenOn);
    if (own.length === 0) continue;
    if (!trees) found.push(notMeasured(own, "there is no tree with the old tests"));
    else {
      const paths = sourcesOf(request, trees.old, own);
      const present = new Set(artifacts.list(trees.now).map(({ path }) => path));
      found.push(await noticeLoss({ parts, suite, trees, touched: own, paths, present, budgetMs }));
    }
  }
  return {
    lost: found.flatMap(({ lost }) => lost),
    noticed: new Map(found.flatMap(({ noticed }) => [...noticed])),
    numb: new Set(found.flatMap(({ numb }) => [...numb])),
    untold: new Map(found.flatMap(({ untold }) => [...untold])),
  };
}

/** More cannot be watched at once. */
const MOST_PATHS = 600;

/** Code of the tree that tests may run; of a large project what was changed and what these tests name comes first. */
function sourcesOf({ parts, suite, files }: CompareRequest, tree: string, touched: readonly TouchedTest[]): string[] {
  const { artifacts } = parts;
  const isCode = (path: string) =>
    grammarOf(path) !== null && !path.endsWith(".pyi") && !isTestPath(path) && !suite.language.isTestFile(path);
  const all = artifacts.list(tree).flatMap(({ path }) => (isCode(path) ? [path] : []));
  const changed = new Set(files.map(({ path }) => path));
  const own = new Set(touched.flatMap((one) => one.files));
  const texts = [...own].map((path) => artifacts.readFile(tree, path)?.toString("utf8") ?? "").join("\n");
  const stem = (path: string) => (path.split("/").at(-1) ?? path).replace(/\.[^.]*$/, "");
  const rank = (path: string) => (changed.has(path) ? 0 : texts.includes(stem(path)) ? 1 : 2);
  return all.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_PATHS);
}
