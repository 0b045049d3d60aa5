import type { TestReport } from "../domain/test-report.ts";
import type { TestRequest } from "./run-tests.ts";

export interface TraceRequest extends TestRequest {
  /** Files whose lines are watched. */
  paths: string[];
}

/** For each watched file: the lines that ran, and by which tests. A line that only ran at import has no test. */
export type RunLines = Map<string, Map<number, Set<string>>>;

/** A run of the tests that also tells which lines they ran. */
export interface TracedRun {
  report: TestReport;
  /** Null when the runner cannot tell; `reason` says why. */
  lines: RunLines | null;
  reason: string;
  /** Modules from outside of the workspace that the run loaded, for a process that is to be warm. */
  modules: string[];
}

/** Runs tests as `runTests` does, and watches which lines of these files they run. */
export async function traceTests(_request: TraceRequest): Promise<TracedRun> {
  throw new Error("tests are not traced yet");
}
