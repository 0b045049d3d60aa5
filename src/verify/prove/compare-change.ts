import type { EvidenceDocument, EvidenceTest, IntegrityFinding } from "../../domain/evidence/evidence-document.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import { changedLines } from "../change/changed-lines.ts";
import { isTestPath } from "../change/is-test-path.ts";
import { compareTests, type Question, type TestRuns, type TouchedTest } from "./compare-tests.ts";
import { fillGaps } from "./fill-gaps.ts";
import type { MixedTrees } from "./mixed-trees.ts";
import { type BothVersions, type LostTest, type NoticedLoss, noticeLoss, outside } from "./notice-loss.ts";
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
  taken: { base: string; result: string };
  mixed: MixedTrees;
  files: ChangedFile[];
  runs: TestRuns;
  flaky: readonly string[];
  superseded: readonly string[];
  /** For measuring what old tests noticed; 0: it is asked instead. */
  budgetMs: number;
}

/** Compares the tests of the base with those of the result, by their runs and by what they notice. */
export async function compareChange(request: CompareRequest): Promise<ComparedTests> {
  const { parts, suite, taken, mixed, files, flaky, superseded, budgetMs } = request;
  const filled = async (tree: string | null, report: TestReport | null, other: string) =>
    tree === null || report === null ? null : fillGaps(parts, suite, { tree, report }, other);
  const oldOnNew = await filled(mixed.oldTestsOnNewCode?.tree ?? null, request.runs.oldOnNew, taken.base);
  const newOnOld = await filled(mixed.newTestsOnOldCode?.tree ?? null, request.runs.newOnOld, taken.result);
  const runs = { ...request.runs, oldOnNew: oldOnNew?.report ?? null, newOnOld: newOnOld?.report ?? null };
  const trees = { oldOnNew: oldOnNew?.tree ?? null, newOnOld: newOnOld?.tree ?? null };
  const compared = compareTests({
    runs,
    outlines: await outlineChange(parts.artifacts, files, parts.parsers),
    leaning: leaningFiles(parts.artifacts, taken.base, files, runs.before),
    flaky: new Set(flaky),
    superseded,
  });
  const { touched } = compared;
  // A change that is lost already need not wait.
  const isLost =
    runs.after.ending !== "completed" || runs.after.tests.some((test) => isRed(test) && !wasRed(runs, test.id));
  const why = isLost ? "tests are red" : budgetMs === 0 ? "no time was given for it (--budget)" : null;
  const measured = why === null ? await measureTouched(request, trees, touched) : notMeasured(touched, why);
  const left = [...measured.untold].length;
  const undone =
    left === 0 ? [] : [{ check: `what ${left} changed tests noticed`, why: [...measured.untold.values()][0] ?? "" }];
  return { ...settleTouched(compared, measured), undone };
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
  { oldOnNew: onNew, newOnOld }: Record<"oldOnNew" | "newOnOld", string | null>,
  touched: readonly TouchedTest[],
): Promise<NoticedLoss> {
  const { parts, suite, taken, budgetMs } = request;
  const { artifacts } = parts;
  // A stub that was laid in is no code of theirs.
  const isIn =
    (tree: string) =>
    ({ path, to }: Mutant): boolean =>
      to <= (artifacts.readFile(tree, path)?.toString("utf8").length ?? 0);
  const sides: [TouchedTest["greenOn"], BothVersions | null][] = [
    ["new", onNew === null ? null : { old: onNew, now: taken.result, counts: isIn(taken.result) }],
    [
      "old",
      {
        old: taken.base,
        now: newOnOld ?? taken.base,
        counts: outside(changedLines(artifacts, taken.result, taken.base)),
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
