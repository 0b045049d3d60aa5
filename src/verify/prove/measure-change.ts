import type { CoverageReport } from "../../domain/coverage-report.ts";
import type { EvidenceDocument } from "../../domain/evidence-document.ts";
import type { FlakeReport } from "../../domain/flake-report.ts";
import type { MutantReport } from "../../domain/mutant-report.ts";
import { executed } from "../../domain/test-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { changedLines } from "../changed-lines.ts";
import { changedLineCoverage, testsOfLines, watchedPaths } from "../coverage/changed-line-coverage.ts";
import type { ChangedFile } from "./change-parts.ts";
import type { ComparedTests } from "./compare-tests.ts";
import { mutateChange } from "./mutate-change.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
import { repeatChanged } from "./repeat-changed.ts";
import type { SuiteRuns } from "./run-suites.ts";
import type { SuiteRunner } from "./suite-runner.ts";

export interface MeasureRequest {
  request: ProveRequest;
  parts: ProveParts;
  suite: SuiteRunner | null;
  taken: { base: string; result: string };
  files: ChangedFile[];
  runs: SuiteRuns | null;
  compared: ComparedTests;
}

/** How well the tests look at the change. */
export interface MeasuredChange {
  coverage: CoverageReport | null;
  mutants: MutantReport | null;
  flakes: FlakeReport | null;
  notChecked: EvidenceDocument["notChecked"];
}

export async function measureChange(measure: MeasureRequest): Promise<MeasuredChange> {
  const { request, parts, suite, taken, files, runs, compared } = measure;
  const { artifacts, parsers } = parts;
  const sources = files.filter(({ part, after }) => part === "source" && after?.kind === "file");
  if (isRefused(compared)) {
    const not = (check: string) => ({ check, why: "the change is refused already" });
    const notChecked = ["coverage of the changed lines", "mutants", "repeats of new tests"].map(not);
    return { coverage: null, mutants: null, flakes: null, notChecked };
  }
  const why = whyNot(suite, sources, runs);
  if (!suite || why !== null) {
    const not = (check: string) => ({ check, why: why ?? "there are no tests" });
    const flakes = suite && runs ? await repeatChanged(suite, taken, runs, newTests(compared)) : null;
    return {
      coverage: null,
      mutants: null,
      flakes,
      notChecked: [not("coverage of the changed lines"), not("mutants")],
    };
  }
  const isSource = new Set(sources.map(({ path }) => path));
  const changed = new Map(
    [...changedLines(artifacts, taken.base, taken.result)].filter(([path]) => isSource.has(path)),
  );
  const read = (path: string) => artifacts.readFile(taken.result, path)?.toString("utf8") ?? null;
  const traced = withoutTests(await suite.trace(taken.result, watchedPaths(changed), read), voidTests(compared));
  const coverage = withUnreadable(await changedLineCoverage({ changed, read, traced, parsers }), sources);
  const looking = [...newTests(compared), ...(testsOfLines(traced, changed) ?? [])];
  const flakes = runs && (await repeatChanged(suite, taken, runs, looking));
  // A change that breaks what was green need not wait for its mutants.
  const isLost = compared.tests.some(({ role }) => role === "broken" || role === "red");
  if (request.budgetMs === 0 || isLost) {
    const why = isLost ? "tests are red already" : "no time was given for them (--budget)";
    return { coverage, mutants: null, flakes, notChecked: [{ check: "mutants", why }] };
  }
  const turned = compared.tests.filter(({ role }) => role === "red-to-green").map(({ id }) => id);
  const mutants = await mutateChange({
    parts,
    suite,
    tree: taken.result,
    changed,
    read,
    traced,
    turned,
    budgetMs: request.budgetMs,
  });
  const left =
    mutants && mutants.counts.notRun > 0
      ? [{ check: `${mutants.counts.notRun} mutants`, why: "the time for them was up (--budget)" }]
      : [];
  return { coverage, mutants, flakes, notChecked: left };
}

/** Tests that show nothing run no line and notice no mutant, either. */
const voidTests = ({ tests }: ComparedTests): Set<string> =>
  new Set(tests.filter(({ role }) => role === "void").map(({ id }) => id));

function withoutTests(traced: TracedRun, left: ReadonlySet<string>): TracedRun {
  if (left.size === 0) return traced;
  const report = { ...traced.report, tests: traced.report.tests.filter(({ id }) => !left.has(id)) };
  const lines =
    traced.lines &&
    new Map(
      [...traced.lines].map(([path, known]) => {
        const kept = [...known].map(
          ([line, tests]) => [line, new Set([...tests].filter((id) => !left.has(id)))] as const,
        );
        return [path, new Map(kept.filter(([, tests]) => tests.size > 0))] as const;
      }),
    );
  return { ...traced, report, lines };
}

const newTests = ({ tests }: ComparedTests): string[] =>
  tests.filter(({ origin, after }) => origin === "change" && after === "passed").map(({ id }) => id);

export const isRefused = ({ integrity }: ComparedTests): boolean =>
  integrity.some(({ weight }) => weight === "tampering");

function whyNot(suite: SuiteRunner | null, sources: ChangedFile[], runs: SuiteRuns | null): string | null {
  if (!suite || !runs?.after) return "there are no tests that could be run";
  if (sources.length === 0) return "no line of code was changed";
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
