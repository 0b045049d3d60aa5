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
  /** Put over the tree as they were written, whatever the coder's tree has at their place. */
  tests: TestFile[];
  /** The suite before the change, where it was run: how long it took says how long it may take now. */
  baseline?: TestReport | null;
  /** False when there is nothing to run but `accept`. */
  suite: boolean;
  accept: string[];
  /** Lint and type check of the project, with what they said before. */
  checks?: ProjectCheck[];
  /** The tree before the coder touched it, and what was asked for; absent where nothing is held against the coder. */
  integrity?: { before: string; said: string };
  /** What of it is asked for: a file of the tests' configuration that is named here may change. Absent: all that was said. */
  asked?: string;
  /** Tests of the project that the goal makes obsolete: only these may change. */
  superseded?: string[];
  /** All of it must be kept by this tree. */
  contract?: Contract;
}
