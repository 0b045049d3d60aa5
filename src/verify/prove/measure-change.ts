import type { CoverageReport } from "../../domain/coverage-report.ts";
import type { EvidenceDocument } from "../../domain/evidence-document.ts";
import type { Finding } from "../../domain/finding.ts";
import type { FlakeReport } from "../../domain/flake-report.ts";
import type { MutantReport } from "../../domain/mutant-report.ts";
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

export async function measureChange({ runs }: MeasureRequest): Promise<MeasuredChange> {
  const flakes = runs && {
    quarantined: [...runs.flaky].sort(),
    flipped: [],
    repeated: [],
    repeats: [],
    baseShuffles: null,
    notVaried: [],
  };
  return { coverage: null, mutants: null, flakes, scans: null, notChecked: [] };
}
