import type { CoverageReport } from "../../domain/coverage-report.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import type { ChangedLines } from "../changed-lines.ts";

export interface CoverageSources {
  /** Of the changed tree; test files are left out by the caller or count like any other. */
  changed: ChangedLines;
  /** The text of a changed file. */
  read: (path: string) => string | null;
  traced: TracedRun;
  parsers: SyntaxParsers;
}

/** Which of the changed lines that do something are run by a test, file by file. Files that are no source are left out. */
export async function changedLineCoverage(_sources: CoverageSources): Promise<CoverageReport> {
  throw new Error("coverage is not measured yet");
}
