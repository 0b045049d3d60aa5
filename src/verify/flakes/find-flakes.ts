import type { FlakeReport, Variation } from "../../domain/flake-report.ts";
import type { TestReport } from "../../domain/test-report.ts";

/** Runs the suite, or these tests of it, in a clean checkout under these conditions. */
export type RunVaried = (variation: Variation | null, tests: readonly string[]) => Promise<TestReport>;

/** What the suite before the change says of itself. */
export interface BaseFlakes {
  first: TestReport;
  second: TestReport;
  /** Tests whose outcome differed between two runs. */
  flaky: string[];
  /** Null: not tried. */
  shuffles: boolean | null;
}

/** The base suite twice as it is, and once more in another order. */
export async function baseFlakes(_run: RunVaried): Promise<BaseFlakes> {
  throw new Error("flakes are not looked for yet");
}

export interface RepeatRequest {
  base: BaseFlakes | null;
  /** The suite after the change. */
  after: TestReport;
  /** New tests and those that run changed lines. */
  tests: readonly string[];
  run: RunVaried;
  /** How often; default 2. */
  repeats?: number;
}

/** Repeats tests with another order, another seed and another hour; one that changes its outcome only now is red. */
export async function repeatTests(_request: RepeatRequest): Promise<FlakeReport> {
  throw new Error("tests are not repeated yet");
}
