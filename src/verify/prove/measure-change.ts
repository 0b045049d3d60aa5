import { BehaviourReport } from "../../domain/evidence/behaviour-report.ts";
import type { CoverageReport } from "../../domain/evidence/coverage-report.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { FlakeReport } from "../../domain/evidence/flake-report.ts";
import { type Mutant, MutantReport, type MutantResult } from "../../domain/evidence/mutant-report.ts";
import { executed } from "../../domain/evidence/test-report.ts";
import type { RunLines } from "../../languages/language.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import { testsOfChange, testsOfUnit } from "../account/tests-of-unit.ts";
import { comparedFunctions, unitMutants } from "../account/unit-mutants.ts";
import type { ChangedFile } from "../change/change-parts.ts";
import type { ChangedLines } from "../change/changed-lines.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { keyOf as functionKey } from "../compare/changed-function.ts";
import { compareBehaviour } from "../compare/compare-behaviour.ts";
import { mergeBehaviour } from "../compare/to-behaviour.ts";
import { changedLineCoverage } from "../coverage/changed-line-coverage.ts";
import { bySuite, mutateTree, type TestedTree } from "../measure/mutate-tree.ts";
import type { ComparedTests } from "./compare-change.ts";
import type { Measurements } from "./measurements.ts";
import { metBefore, unmissed } from "./met-before.ts";
import { mixTrees } from "./mixed-trees.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
import { Names } from "./recorded-names.ts";
import { repeatChanged } from "./repeat-changed.ts";
import type { SuiteRuns } from "./run-suites.ts";
import { Slots } from "./slots.ts";
import type { SuiteRunner } from "./suite-runner.ts";
import { testedTree } from "./tested-tree.ts";
import { withoutTests } from "./without-tests.ts";

interface MeasureRequest {
  request: ProveRequest;
  parts: ProveParts;
  measurements: Measurements;
  suite: SuiteRunner | null;
  /** The result as it is; tests may run on it with more files laid in. */
  result: string;
  /** The trees on which tests run. */
  taken: { base: string; result: string };
  files: ChangedFile[];
  /** Parts of the code that do something else than before, or may. */
  units: readonly UnitChange[];
  runs: SuiteRuns | null;
  compared: ComparedTests;
}

/** How well the tests look at the change. */
export interface MeasuredChange {
  coverage: CoverageReport | null;
  /** The same of the lines that say the name of a changed statement. */
  readers: CoverageReport | null;
  /** Which lines of the changed files each test runs; null: nobody could watch. */
  lines: RunLines | null;
  /** Null: not measured. */
  mutants: MutantReport | null;
  flakes: FlakeReport | null;
  /** Old and new code with the same inputs. */
  behaviour: BehaviourReport | null;
  notChecked: EvidenceDocument["notChecked"];
}

const NOTHING: Omit<MeasuredChange, "notChecked"> = {
  coverage: null,
  readers: null,
  lines: null,
  mutants: null,
  flakes: null,
  behaviour: null,
};

export async function measureChange(measure: MeasureRequest): Promise<MeasuredChange> {
  const { parts, measurements, suite, taken, units, runs, compared } = measure;
  if (isRefused(compared)) {
    const not = (check: string) => ({ check, why: "the change is refused already" });
    return {
      ...NOTHING,
      notChecked: ["coverage of the changed lines", "mutants", "repeats of new tests"].map(not),
    };
  }
  const repeated = async (tests: string[], again: SuiteRuns["after"]) => {
    if (!suite || !runs) return null;
    const repeat = () => repeatChanged({ suite, taken, runs, tests, again });
    return measurements.take("repeats", FlakeReport.nullable(), repeat, { ...taken, tests });
  };
  const why = whyNot(suite, units, runs);
  const after = runs?.after;
  if (!suite || !after || why !== null) {
    const not = (check: string) => ({ check, why: why ?? "there are no tests" });
    const flakes = await repeated(newTests(compared), null);
    return { ...NOTHING, flakes, notChecked: [not("coverage of the changed lines"), not("mutants")] };
  }
  const watched = runs?.resultTraced ?? { ...NOT_WATCHED, report: after };
  const traced = withoutTests(watched, voidTests(compared));
  const { parsers } = parts;
  const read = (path: string) => parts.artifacts.readFile(measure.result, path)?.toString("utf8") ?? null;
  const changed = linesOfUnits(units);
  const coverage = await changedLineCoverage({ read, parsers, traced, changed });
  const named = units.filter(({ kind, relation }) => kind === "statement" && relation === "changed");
  const says = linesOfUnits(named.map(({ path, uses }) => ({ path, lines: uses })));
  const readers = await changedLineCoverage({ read, parsers, traced, changed: says });
  const concerned = testsOfChange(traced, units);
  const looking = [...newTests(compared), ...(concerned ?? [])];
  const nobodyKnows = concerned === null && looking.length === 0;
  const checks = Slots.forChecks(parts.sandbox);
  const [flakes, noticed] = await Promise.all([
    checks.use(() => repeated(looking, watched.report)),
    checks.use(() => noticedOf({ ...measure, suite }, traced, nobodyKnows ? null : looking)),
  ]);
  return { coverage, readers, lines: traced.lines, flakes, ...noticed };
}

type Noticed = Pick<MeasuredChange, "mutants" | "behaviour" | "notChecked">;

/** What calls of both versions and small changes of the code tell. */
async function noticedOf(
  measure: MeasureRequest & { suite: SuiteRunner },
  traced: TracedRun,
  looking: string[] | null,
): Promise<Noticed> {
  const { request, parts, measurements, suite, taken, units, compared } = measure;
  const without = (why: string): Noticed => ({
    mutants: null,
    behaviour: null,
    notChecked: [{ check: "mutants", why }],
  });
  // A change that breaks what was green need not wait for its mutants.
  if (compared.tests.some(({ role }) => role === "broken" || role === "red")) return without("tests are red already");
  if (request.budgetMs === 0) return without("no time was given for them (--budget)");
  const { parsers } = parts;
  const read = (path: string) => parts.artifacts.readFile(measure.result, path)?.toString("utf8") ?? null;
  const tree = () => testedTree(parts, suite, taken.result, traced);
  const groups = turnedGroups(units, traced.lines, new Set(idsOf(compared, SHOWN)));
  const expected = new Set(units.filter((unit) => groups.some(({ id }) => id === keyOf(unit))).map(functionKey));
  const showing = { expected, first: [...new Set(groups.flatMap(({ tests }) => tests))] };
  const readOld = (path: string) => parts.artifacts.readFile(taken.base, path)?.toString("utf8") ?? null;
  const made = await unitMutants({ read, readOld, parsers }, units);
  const of = { ...taken, mutants: made.map(({ id, replacement }) => [id, replacement]) };
  const behaviour = await measurements.take(
    "comparing behaviour",
    BehaviourReport,
    () => compareChange(measure, tree(), made, looking, showing, timeToCompare(request, measurements.elapsedMs)),
    { ...of, units },
  );
  const mutate = { mutants: made, requirements: groups, compared: new Set(behaviour.noticed) };
  const tried = await measurements.take(
    "mutants",
    MutantReport.nullable(),
    () => mutateTree(tree(), "the changed lines", { ...mutate, budgetMs: request.budgetMs }),
    { ...of, groups, compared: behaviour.noticed },
  );
  const mutants = tried && (await withoutMet(measure, withoutGaps(tried, made), of));
  return { mutants, behaviour, notChecked: leftOver(mutants) };
}

/** Calls the old and the new version of what changed with the same arguments, language by language. */
async function compareChange(
  { parts, taken, files, units }: MeasureRequest,
  tested: TestedTree,
  mutants: Mutant[],
  tests: string[] | null,
  { expected, first }: { expected: ReadonlySet<string>; first: readonly string[] },
  budgetMs: number,
): Promise<BehaviourReport> {
  parts.onProgress("calling the old and the new code with the same arguments");
  const newTestsOnOldCode = mixTrees(parts.artifacts, parts.task, taken, files).newTestsOnOldCode?.tree;
  const { base: before, result: after } = taken;
  const trees = { before, after, tests: after, "old-tests": newTestsOnOldCode ?? before };
  const reports: BehaviourReport[] = [];
  for (const { tree, parts: own, isOwn } of bySuite(tested, units)) {
    const paths = new Set(own.map(({ path }) => path));
    reports.push(
      await compareBehaviour({
        ...tree,
        ...comparedFunctions(own),
        isExpected: (key) => expected.has(key),
        first,
        tests: tests && [...new Set(tests.filter(isOwn).map((id) => id.split("::")[0] ?? id))],
        layOut: (side) => parts.checkout(`compare-${side}`, trees[side]),
        mutants: mutants.filter(({ path }) => paths.has(path)),
        budgetMs: (budgetMs * own.length) / units.length,
      }),
    );
  }
  return mergeBehaviour(reports);
}

/** What went and was met in the old code is not missed in the new one. */
async function withoutMet(
  { request, parts, measurements, suite, taken, units }: MeasureRequest & { suite: SuiteRunner },
  report: MutantReport,
  of: object,
): Promise<MutantReport> {
  const pieces = unmissed(report);
  if (pieces.length === 0) return report;
  const oldPath = (path: string) => units.find((unit) => unit.path === path)?.oldPath ?? path;
  const { base } = taken;
  const ids = pieces.map(({ mutant }) => mutant.id);
  const met = await measurements.take(
    "what went, in the old code",
    Names,
    async () => new Set(await metBefore(pieces, { parts, suite, base, oldPath, budgetMs: request.budgetMs })),
    { ...of, ids },
  );
  const results = report.results.map((one): MutantResult => {
    const { gone, went, ...mutant } = one.mutant;
    return met.has(mutant.id) ? { ...one, mutant } : one;
  });
  return { ...report, results };
}

/** For each changed part the tests that turned green and run it: they must notice something of it themselves. */
const turnedGroups = (units: readonly UnitChange[], lines: RunLines | null, turned: ReadonlySet<string>) =>
  units.flatMap((unit) => {
    const tests = testsOfUnit(unit, lines, turned);
    return tests.size > 0 ? [{ id: keyOf(unit), tests: [...tests] }] : [];
  });

const keyOf = ({ path, name, kind }: Pick<UnitChange, "path" | "name" | "kind">): string => `${path} ${kind} ${name}`;

/** A report that is silent about some of them is no report: these may be the very ones that nobody notices. */
function withoutGaps(report: MutantReport, made: readonly Mutant[]): MutantReport {
  const told = new Set(report.results.map(({ mutant }) => mutant.id));
  const untold = made.filter(({ id }) => !told.has(id)).length;
  return untold === 0 ? report : { ...report, score: null, problem: `nobody tells what came of ${untold} of them` };
}

function leftOver(report: MutantReport | null): EvidenceDocument["notChecked"] {
  const left = report?.counts.notRun ?? 0;
  return left > 0 ? [{ check: `${left} mutants`, why: "the time for them was up (--budget)" }] : [];
}

const NOT_WATCHED = { lines: null, reason: "no changed line is left to watch", modules: [] };

const SHOWN = new Set(["red-to-green"]);

/** However long the suites took. */
const LEAST_COMPARED_MS = 30_000;

/** What is left of the whole. Mutants have all of their own: without them nothing is judged. */
const timeToCompare = ({ budgetMs, withinMs }: ProveRequest, elapsedMs: number): number =>
  Math.max(LEAST_COMPARED_MS, Math.min(budgetMs, withinMs === undefined ? budgetMs : withinMs - elapsedMs));

export function linesOfUnits(units: readonly Pick<UnitChange, "path" | "lines">[]): ChangedLines {
  const changed: ChangedLines = new Map();
  for (const { path, lines } of units)
    if (lines.length > 0) changed.set(path, [...(changed.get(path) ?? []), ...lines]);
  return changed;
}

const idsOf = ({ tests }: ComparedTests, roles: ReadonlySet<string>): string[] =>
  tests.filter(({ role }) => roles.has(role)).map(({ id }) => id);

/** Tests that show nothing run no line and notice no mutant, either. */
const voidTests = (compared: ComparedTests): Set<string> => new Set(idsOf(compared, new Set(["void"])));

const newTests = ({ tests }: ComparedTests): string[] =>
  tests.filter(({ origin, after }) => origin === "change" && after === "passed").map(({ id }) => id);

export const isRefused = ({ integrity }: ComparedTests): boolean =>
  integrity.some(({ weight }) => weight === "tampering");

function whyNot(suite: SuiteRunner | null, units: readonly UnitChange[], runs: SuiteRuns | null): string | null {
  if (!suite || !runs?.after) return "there are no tests that could be run";
  if (units.length === 0) return "no code that does anything was changed";
  if (runs.after.ending !== "completed") return "the tests do not come to their end";
  return executed(runs.after) === 0 ? "no test runs" : null;
}
