import type { CoverageReport } from "../../domain/coverage-report.ts";
import type { EvidenceDocument } from "../../domain/evidence-document.ts";
import type { Finding } from "../../domain/finding.ts";
import type { FlakeReport } from "../../domain/flake-report.ts";
import type { MutantReport } from "../../domain/mutant-report.ts";
import { executed } from "../../domain/test-report.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { changedLines } from "../changed-lines.ts";
import { changedLineCoverage, watchedPaths } from "../coverage/changed-line-coverage.ts";
import type { ChangedFile } from "./change-parts.ts";
import type { ComparedTests } from "./compare-tests.ts";
import type { ProveParts, ProveRequest } from "./prove-parts.ts";
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
  scans: Finding[] | null;
  notChecked: EvidenceDocument["notChecked"];
}

export async function measureChange({ parts, suite, taken, files, runs }: MeasureRequest): Promise<MeasuredChange> {
  const { artifacts, parsers } = parts;
  const notChecked: EvidenceDocument["notChecked"] = [];
  const flakes = runs && {
    quarantined: [...runs.flaky].sort(),
    flipped: [],
    repeated: [],
    repeats: [],
    baseShuffles: null,
    notVaried: [],
  };
  const none = { coverage: null, mutants: null, flakes, scans: null };
  const sources = files.filter(({ part, after }) => part === "source" && after?.kind === "file");
  const why = whyNot(suite, sources, runs);
  if (!suite || why !== null) {
    notChecked.push({ check: "coverage of the changed lines", why: why ?? "" }, { check: "mutants", why: why ?? "" });
    return { ...none, notChecked };
  }
  const isSource = new Set(sources.map(({ path }) => path));
  const changed = new Map(
    [...changedLines(artifacts, taken.base, taken.result)].filter(([path]) => isSource.has(path)),
  );
  const read = (path: string) => artifacts.readFile(taken.result, path)?.toString("utf8") ?? null;
  const traced = await suite.trace(taken.result, watchedPaths(changed), read);
  const coverage = withUnreadable(await changedLineCoverage({ changed, read, traced, parsers }), sources);
  return { ...none, coverage, notChecked };
}

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
