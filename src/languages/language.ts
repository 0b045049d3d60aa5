import type { LanguageName } from "../domain/spec.ts";
import type { TestReport } from "../domain/test-report.ts";
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
}

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
  /** Finds the interpreters for the user's directory; throws TerminalFailure `environment.*` that says what to install. */
  toolchain(directory: string): Promise<Toolchain>;
  /** Runs these test files, or the whole suite when none are named. */
  testRun(files: string[], toolchain?: Toolchain): TestRun;
  /** `report` is the content of the report file, or null when there is none. Untrusted: never throws on bad input. */
  parseReport(report: string | null, result: CommandResult, run: TestRun): TestReport;
}
