import type { Variation } from "../domain/evidence/flake-report.ts";
import type { Mutant } from "../domain/evidence/mutant-report.ts";
import type { TestNeeds } from "../domain/evidence/test-needs.ts";
import type { TestReport } from "../domain/evidence/test-report.ts";
import type { LanguageName } from "../domain/plan/spec.ts";
import type { CommandResult, Mount } from "../sandbox/sandbox.ts";

export interface SourceFile {
  path: string;
  content: string;
}

/** Interpreters and dependency directories of a project, to be bound read-only into the sandbox. */
export interface Toolchain {
  mounts: Mount[];
  path: string[];
  env: Record<string, string>;
  /** For the journal and the prompt: `python 3.11.2`, `pytest 7.2.1`, a fingerprint of the dependencies. */
  versions: Record<string, string>;
  /** The test runner of the project: `pytest`, `node:test`, `vitest`; any other is the user's own `script`. */
  runner: string;
  /** The user's own test command, where the project names one. */
  script: string | null;
  /** What the tests need beside: services, variables. Commands that are no tests go without. */
  needs?: TestNeeds;
}

export interface TestRun {
  argv: string[];
  /** As in the toolchain: says how the report is to be read. */
  runner: string;
  /** What was asked for; empty means the whole suite. */
  files: string[];
  env: Record<string, string>;
  /** Written inside the workspace by the runner, read by us without following links, and removed. */
  reportFile: string;
  /** As a person would type it. */
  display: string;
  /** Where below the workspace the run leaves what it traced; absent when this runner cannot tell. */
  traceDirectory?: string;
}

/** How a run of the tests differs from the usual one. */
export interface TestRunOptions {
  /** Other conditions, under which the tests must say the same. */
  vary?: Variation;
  /** Files whose lines are watched. */
  trace?: string[];
}

/** For each watched file: the lines that ran, and in which tests; the empty name stands for the import of a module. */
export type RunLines = Map<string, Map<number, Set<string>>>;

export interface Trace {
  lines: RunLines;
  /** Modules from outside of the workspace that the run loaded. */
  modules: string[];
}

/** A program of ours inside the sandbox that is told by stdin what to do. */
export interface ProgramRun {
  argv: string[];
  env: Record<string, string>;
  stdin: string;
}

/** One run of some tests with one mutant; without a mutant it is a control, where only a comment is added. */
export interface MutantJob {
  id: string;
  path: string;
  mutant: Mutant | null;
  /** Ids, in the order of the suite. */
  tests: readonly string[];
  /** Run also after another test went red. */
  beyond: readonly string[];
  timeoutMs: number;
}

export interface MutantBatch {
  originals: Map<string, string>;
  jobs: readonly MutantJob[];
  /** No job is begun after this long. */
  deadlineMs: number;
  memoryMb: number;
  /** For the tests that killed something, once more without a mutant, at the end. */
  closingMs: number;
  /** Loaded once, before the first job. */
  modules: readonly string[];
}

/** Added to a file, it changes its text and nothing else. */
export const CONTROL_COMMENTS: Record<string, string> = {
  python: "\n# control\n",
  javascript: "\n// control\n",
  typescript: "\n// control\n",
  go: "\n// control\n",
};

/** One folder per language. Paths are relative to the workspace root and use `/`. */
export interface Language {
  readonly name: LanguageName;
  /** 0 to 1: how sure these paths are a project of this language. */
  detect(paths: string[]): number;
  /** What an empty directory needs so that tests can run. */
  scaffold(): SourceFile[];
  /** Where the tester's file of this name belongs, given the paths the project has. */
  testPath(name: string, paths: string[]): string;
  isTestFile(path: string): boolean;
  /** What whoever writes tests here must know, where the test command does not say it. */
  advice?(testCommand: string): string;
  /** Finds the interpreters for the user's directory; throws TerminalFailure `environment.*` that says what to install. */
  toolchain(directory: string): Promise<Toolchain>;
  /**
   * The same tools for another tree of the project, whose own files may name another test command. Absent where the
   * command does not depend on the tree.
   */
  toolchainFor?(toolchain: Toolchain, read: (path: string) => string | null): Toolchain;
  /** Runs these test files, or the whole suite when none are named. */
  testRun(files: string[], toolchain?: Toolchain, options?: TestRunOptions): TestRun;
  /** `report` is the content of the report file, or null when there is none. Untrusted: never throws on bad input. */
  parseReport(report: string | null, result: CommandResult, run: TestRun): TestReport;
  /** What a traced run left in its files; `root` is the workspace as it saw it. Untrusted: never throws on bad input. */
  readTrace?(files: string[], paths: string[], read: (path: string) => string | null, root: string): Trace;
  /** Compiles each mutant and compares it with the original. */
  comparison?(originals: Map<string, string>, mutants: readonly Mutant[]): ProgramRun;
  /** One process that stays warm and runs many mutants, each in a process of its own. */
  mutantServer?(batch: MutantBatch, toolchain: Toolchain): ProgramRun;
}
