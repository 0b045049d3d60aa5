import type { Mutant, MutantReport, MutantResult } from "../../domain/mutant-report.ts";
import type { SandboxLimits } from "../../domain/settings.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { TracedRun } from "../../languages/trace-tests.ts";
import type { Sandbox } from "../../sandbox/sandbox.ts";

/** A directory that holds the tree to be judged, for one worker alone. */
export interface WorkerWorkspace {
  directory: string;
  /** Lays the tree out anew: nothing that code left there stays. */
  renew(): Promise<void>;
}

export interface MutantRun {
  /** In the order in which they should run; of one or several files. */
  mutants: readonly Mutant[];
  /** The unmutated text of every file that has a mutant. */
  read: (path: string) => string | null;
  /** The tests without a mutant, with the lines they run (`traceTests`). Only what is green there can kill. */
  baseline: TracedRun;
  /** Ids of tests that may run; default all that are green in the baseline. */
  tests?: readonly string[];
  /** For each requirement the ids of its tests: the report then says which mutants they killed. */
  requirements?: readonly { id: string; tests: readonly string[] }[];
  makeWorkspace: (name: string) => Promise<WorkerWorkspace>;
  language: Language;
  toolchain: Toolchain;
  sandbox: Sandbox;
  limits: SandboxLimits;
  /** How many at a time; default the number of cores, at most 8. */
  parallel?: number;
  /** After this long no further mutant is begun. */
  budgetMs: number;
  signal: AbortSignal;
  onProgress?: (done: { results: readonly MutantResult[]; of: number }) => void;
}

/** Runs each mutant against the tests that run its line, and says which were noticed. */
export async function runMutants(_run: MutantRun): Promise<MutantReport> {
  throw new Error("mutants are not run yet");
}
