import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { Contract } from "../../domain/plan/contract.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import type { ProjectCheck } from "../../verify/gate/project-checks.ts";

/** What a gate judges, and by what. */
export interface GateOptions {
  name: string;
  /** The tree to judge. */
  tree: string;
  language: Language | null;
  /** These tests replace whatever the coder's tree has at their paths. */
  tests: TestFile[];
  /** The suite before the change, if it was run. Its duration sets the time limit of the suite now. */
  baseline?: TestReport | null;
  /** False when there is nothing to run but `accept`. */
  suite: boolean;
  accept: string[];
  /** Lint and type check of the project, with their output before the change. */
  checks?: ProjectCheck[];
  /**
   * The tree before the coder touched it, the one that the task began with, and the text that asks for the work. A file
   * of the tests' configuration that is named there is delivered as the coder left it. Absent where nothing is held
   * against the coder.
   */
  integrity?: { before: string; base: string; asked: string };
  /** Tests of the project that the goal makes obsolete. No other test of the project may change. */
  superseded?: string[];
  /** The tree must keep the whole contract. */
  contract?: Contract;
}
