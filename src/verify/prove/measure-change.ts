import type { CoverageReport } from "../../domain/evidence/coverage-report.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import type { FlakeReport } from "../../domain/evidence/flake-report.ts";
import type { MutantReport } from "../../domain/evidence/mutant-report.ts";
import { executed } from "../../domain/evidence/test-report.ts";
import type { RunLines } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import type { ChangedMeaning, ChangedUnit } from "../change/changed-units.ts";
import { testsOfLines } from "../coverage/changed-line-coverage.ts";
import { type MeasuredTests, measureTests } from "../measure/measure-tests.ts";
import { type BaseMutants, mutateBase } from "../measure/mutate-base.ts";
import type { ComparedTests } from "./compare-change.ts";
import { TURNED, turned } from "./judge-change.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
import { repeatChanged } from "./repeat-changed.ts";
import type { SuiteRuns } from "./run-suites.ts";
import type { Stages } from "./stages.ts";
import type { SuiteRunner } from "./suite-runner.ts";
import { testedTree } from "./tested-tree.ts";
import { withoutTests } from "./without-tests.ts";

interface MeasureRequest {
  request: ProveRequest;
  parts: ProveParts;
  suite: SuiteRunner | null;
  taken: { base: string; result: string };
  /** The old code with the tests of the change; null when it brings none. */
  newTestsOnOldCode: string | null;
  files: ChangedFile[];
  /** Of the result, without what only moved. */
  changed: ChangedLines;
  meaning: ChangedMeaning;
  runs: SuiteRuns | null;
  compared: ComparedTests;
  accept: EvidenceDocument["accept"];
  stages: Stages;
}

/** How well the tests look at the change. */
interface MeasuredChange {
  coverage: CoverageReport | null;
  mutants: MutantReport | null;
  /** Null: not measured. */
  base: BaseMutants | null;
  flakes: FlakeReport | null;
  notChecked: EvidenceDocument["notChecked"];
}

export async function measureChange(measure: MeasureRequest): Promise<MeasuredChange> {
  const { request, parts, suite, taken, files, changed, meaning, runs, compared, accept, stages } = measure;
  const sources = files.filter(({ part, after }) => part === "source" && after?.kind === "file");
  const nothing = { coverage: null, mutants: null, base: null, flakes: null };
  if (isRefused(compared)) {
    const not = (check: string) => ({ check, why: "the change is refused already" });
    return {
      ...nothing,
      notChecked: ["coverage of the changed lines", "mutants", "repeats of new tests"].map(not),
    };
  }
  const repeated = async (tests: string[], again: SuiteRuns["after"]) =>
    suite && runs ? repeatChanged({ suite, taken, runs, tests, again }) : null;
  const why = whyNot(suite, files, runs);
  const after = runs?.after;
  if (!suite || !after || why !== null) {
    const not = (check: string) => ({ check, why: why ?? "there are no tests" });
    const flakes = await stages.time("repeats", () => repeated(newTests(compared), null));
    return { ...nothing, flakes, notChecked: [not("coverage of the changed lines"), not("mutants")] };
  }
  const watched = runs?.resultTraced ?? { ...NOT_WATCHED, report: after };
  const traced = withoutTests(watched, voidTests(compared));
  const looking = [...newTests(compared), ...(testsOfLines(traced, changed) ?? [])];
  // A change that breaks what was green need not wait for its mutants.
  const isLost = compared.tests.some(({ role }) => role === "broken" || role === "red");
  const shown = idsOf(compared, SHOWN);
  const units = accept.some(turned) ? [] : unshown(meaning.units, shown, traced.lines);
  const mutants = {
    requirements: shown.length > 0 ? [{ id: TURNED, tests: shown }] : [],
    values: true,
    budgetMs: () => budgetOf(request, stages.elapsedMs),
    ofBase: (budgetMs: number) => judgedBase(measure, suite, units, budgetMs),
  };
  const measured = await measureTests({
    tree: testedTree(parts, suite, taken.result, traced),
    changed,
    repeat: () => repeated(looking, watched.report),
    mutants: request.budgetMs === 0 || isLost ? null : mutants,
    time: (stage, work) => stages.time(stage, work),
  });
  const coverage = measured.coverage && withUnreadable(measured.coverage, sources);
  return { ...measured, coverage, notChecked: mutantsNotTried(measured, request, isLost) };
}

function mutantsNotTried(
  { mutants, base }: MeasuredTests,
  { budgetMs }: ProveRequest,
  isLost: boolean,
): EvidenceDocument["notChecked"] {
  if (isLost) return [{ check: "mutants", why: "tests are red already" }];
  if (budgetMs === 0) return [{ check: "mutants", why: "no time was given for them (--budget)" }];
  const left = (mutants?.counts.notRun ?? 0) + (base?.report?.counts.notRun ?? 0);
  return left > 0 ? [{ check: `${left} mutants`, why: "the time for them was up (--budget)" }] : [];
}

const NOT_WATCHED = { lines: null, reason: "no changed line is left to watch", modules: [] };

const SHOWN = new Set(["red-to-green"]);
/** Green on the old code and on the new one. */
const KEEPING = new Set(["held", "moved", "guard"]);

/** However long the suites took. */
const LEAST_MS = 8_000;

const budgetOf = ({ budgetMs, withinMs }: ProveRequest, elapsedMs: number): number =>
  withinMs === undefined ? budgetMs : Math.min(budgetMs, Math.max(LEAST_MS, withinMs - elapsedMs));

async function judgedBase(
  { parts, taken, newTestsOnOldCode, runs, compared }: MeasureRequest,
  suite: SuiteRunner,
  units: ChangedUnit[],
  budgetMs: number,
): Promise<BaseMutants | null> {
  if (units.length === 0) return { report: null, units: [] };
  const paths = [...new Set(units.map(({ path }) => path))];
  const traced =
    newTestsOnOldCode === null
      ? (runs?.baseTraced ?? null)
      : await suite.trace("the tests on the old code, to see which lines they run", newTestsOnOldCode, paths);
  if (!traced) return null;
  const tree = newTestsOnOldCode ?? taken.base;
  const tests = idsOf(compared, KEEPING);
  return mutateBase(testedTree(parts, suite, tree, traced), { units, tests, budgetMs });
}

/** Parts of which no test that turned green runs a line: what holds for a refactoring holds for them. */
function unshown(units: ChangedUnit[], shown: string[], lines: RunLines | null): ChangedUnit[] {
  if (shown.length === 0) return units;
  const turnedTests = new Set(shown);
  return units.filter(({ now, kind }) => {
    const known = now && lines?.get(now.path);
    if (!now || !known) return false;
    const own = [...known].filter(([line]) => now.lines.from <= line && line <= now.lines.to);
    const runs = (tests: Iterable<string>) => [...tests].some((test) => turnedTests.has(test));
    // A statement of a module is run for whoever imports it; of a function that is only its first line.
    const isImported = kind !== "function" && own.some(([, tests]) => tests.has("")) && [...known.values()].some(runs);
    return !isImported && !own.some(([, tests]) => runs(tests));
  });
}

const idsOf = ({ tests }: ComparedTests, roles: ReadonlySet<string>): string[] =>
  tests.filter(({ role }) => roles.has(role)).map(({ id }) => id);

/** Tests that show nothing run no line and notice no mutant, either. */
const voidTests = (compared: ComparedTests): Set<string> => new Set(idsOf(compared, new Set(["void"])));

const newTests = ({ tests }: ComparedTests): string[] =>
  tests.filter(({ origin, after }) => origin === "change" && after === "passed").map(({ id }) => id);

export const isRefused = ({ integrity }: ComparedTests): boolean =>
  integrity.some(({ weight }) => weight === "tampering");

function whyNot(suite: SuiteRunner | null, files: ChangedFile[], runs: SuiteRuns | null): string | null {
  if (!suite || !runs?.after) return "there are no tests that could be run";
  if (!files.some(({ part }) => part === "source")) return "no line of code was changed";
  if (runs.after.ending !== "completed") return "the tests do not come to their end";
  return executed(runs.after) === 0 ? "no test runs" : null;
}

/** Code in a language that we cannot read: of its lines nobody knows. */
function withUnreadable(coverage: CoverageReport, sources: ChangedFile[]): CoverageReport {
  const others = sources
    .filter(({ path }) => grammarOf(path) === null)
    .map(({ path }) => ({ available: false as const, path, reason: "its language is not known" }));
  return { ...coverage, files: [...coverage.files, ...others] };
}
