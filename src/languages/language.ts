import type { Variation } from "../domain/evidence/flake-report.ts";
import type { Mutant } from "../domain/evidence/mutant-report.ts";
import type { TestNeeds } from "../domain/evidence/test-needs.ts";
import type { TestReport } from "../domain/evidence/test-report.ts";
import type { LanguageName } from "../domain/plan/spec.ts";
import type { CommandResult, Mount } from "../sandbox/sandbox.ts";
import type { SyntaxParsers } from "../syntax/parse.ts";
import type { RecordOrder, ReplayOrder } from "./recorded-calls.ts";

export interface SourceFile {
  path: string;
  content: string;
}

/** What a runner is told beside the settings that it reads itself. */
export interface RunnerArguments {
  options: string[];
  /** Files and folders; what is not there is passed over. None: as the runner finds them. */
  places: string[];
  env: Record<string, string>;
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
  /** The user's own test command, if the project names one: what runs the tests of it, without linters and the like. */
  script: string | null;
  /** What the project's own command gives its runner, where that is not run as it is written. */
  given?: RunnerArguments;
  /** Commands for the shell that the project runs before its tests, such as a build. */
  before?: string[];
  /** What the tests need in addition: services, variables. Other commands run without it. */
  needs?: TestNeeds;
}

export interface TestRun {
  argv: string[];
  /** The toolchain's runner. It decides how the report is read. */
  runner: string;
  /** The requested files; empty means the whole suite. */
  files: string[];
  env: Record<string, string>;
  /** The runner writes it inside the workspace. We read it without following links, and remove it. */
  reportFile: string;
  /** As a person would type it. */
  display: string;
  /** The directory below the workspace for the trace of the run. Absent if this runner cannot trace. */
  traceDirectory?: string;
}

/** How a run of the tests differs from the usual one. */
export interface TestRunOptions {
  /** Other conditions, under which the tests must give the same result. */
  vary?: Variation;
  /** Files whose lines are watched. */
  trace?: string[];
  /** Functions whose calls are written down, where the runner does it (`recordIn` otherwise). */
  record?: RecordOrder;
  /**
   * In these files, inputs that fail are looked for within seconds, where the runner does not try others by itself anyway.
   * A run under other conditions does it as well.
   */
  fuzz?: readonly string[];
  /** These tests are meant to fail: nobody looks for the smallest example. */
  meantToFail?: boolean;
}

/** For each traced file: the lines that ran, and in which tests. The empty name stands for the import of a module. */
export type RunLines = Map<string, Map<number, Set<string>>>;

/** Stands for every test of a run, where nobody knows which of them ran a line. */
export const ALL_TESTS = "*";

export interface Trace {
  lines: RunLines;
  /** Modules from outside the workspace that the run loaded. */
  modules: string[];
  /** Who opened or imported what. Absent where the runner cannot tell. */
  reads?: ReadBy[];
}

/** What one process of a traced run wrote. */
export interface TraceFile {
  name: string;
  text: string;
}

/** A file of the workspace that another one of it opened. */
export interface ReadBy {
  reader: string;
  path: string;
}

/** A program of ours inside the sandbox. It reads its orders from stdin. */
export interface ProgramRun {
  argv: string[];
  env: Record<string, string>;
  stdin: string;
}

/** One run of some tests with one mutant. Without a mutant it is a control, which only adds a comment. */
export interface MutantJob {
  id: string;
  path: string;
  mutant: Mutant | null;
  /** Ids, in the order of the suite. */
  tests: readonly string[];
  /**
   * Groups of tests that run even after another test went red: each until an earlier job of the batch was noticed by an
   * expectation of one of them. A control runs all of its tests.
   */
  beyond: readonly (readonly string[])[];
  timeoutMs: number;
  /** What the processor needs for these tests without a mutant; 0: not known. */
  usualMs: number;
}

export interface MutantBatch {
  originals: Map<string, string>;
  jobs: readonly MutantJob[];
  /** No job is begun after this long. */
  deadlineMs: number;
  memoryMb: number;
  /** Time at the end to run the tests that killed something once more, without a mutant. */
  closingMs: number;
  /** Loaded once, before the first job. */
  modules: readonly string[];
}

/** Tests that are to run without their runner. */
export interface WitnessOrder {
  files: SourceFile[];
  /** By path: the names of its tests, as the runner reports them. */
  wanted: Record<string, string[]>;
  /** Stands before each line of the driver's, so that what the code prints is told from it. */
  mark: string;
  /** After this long nothing is run a second time. */
  seconds: number;
}

/** How a driver of ours is started, and where it says what it saw. */
export interface WitnessRun {
  /** Placed in the workspace before anything runs. */
  files: SourceFile[];
  argv: string[];
  env: Record<string, string>;
  stdin?: string;
  /** Absent: it is on standard output. */
  reportFile?: string;
}

/** What is another before a driver begins, and how long the processor may work for it. */
export interface DrivenJob {
  place: SourceFile;
  cpuSeconds: number;
}

/** Added to a file, it changes the text and nothing else. */
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
  /** The path for the tester's file of this name, given the paths of the project. */
  testPath(name: string, paths: string[]): string;
  isTestFile(path: string): boolean;
  /**
   * Lint and type check for a new project, which configures none. Of each kind the first command that is there is used.
   * A project's configuration is not read: it would be the coder's.
   */
  checks?(): string[][];
  /** What an author of tests must know here and the test command does not say. */
  advice?(testCommand: string): string;
  /**
   * Finds the interpreters for the user's directory. Throws TerminalFailure `environment.*` that says what to install.
   * `environment` is a directory with packages of ours, used instead of those of the user's directory.
   */
  toolchain(directory: string, environment?: string): Promise<Toolchain>;
  /**
   * The same tools for another tree of the project, whose files may name another test command. Absent if the command
   * does not depend on the tree.
   */
  toolchainFor?(toolchain: Toolchain, read: (path: string) => string | null): Toolchain;
  /** Runs these test files, or the whole suite if none are named. */
  testRun(files: string[], toolchain?: Toolchain, options?: TestRunOptions): TestRun;
  /** `report` is the content of the report file, or null if there is none. Untrusted: never throws on bad input. */
  parseReport(report: string | null, result: CommandResult, run: TestRun): TestReport;
  /**
   * Reads the files of a traced run; `root` is the workspace as the run saw it. Untrusted: never throws on bad input.
   */
  readTrace?(files: TraceFile[], paths: string[], read: (path: string) => string | null, root: string): Trace;
  /** Compiles each mutant and compares it with the original. */
  comparison?(originals: Map<string, string>, mutants: readonly Mutant[]): ProgramRun;
  /** Runs tests as a person's script would call the code: no test runner is in the process. */
  witness?(order: WitnessOrder, toolchain: Toolchain): WitnessRun;
  /** The same driver with the same stand-ins, but everything that the code can see of its runner is there. */
  witnessInRunner?(order: WitnessOrder, toolchain: Toolchain): WitnessRun;
  /** The driver once, with one file changed; absent where mutants have a better way. */
  drive?(order: WitnessOrder, job: DrivenJob, toolchain: Toolchain): WitnessRun;
  /** One process that stays warm and runs many mutants, each in its own process. */
  mutantServer?(batch: MutantBatch, toolchain: Toolchain): ProgramRun;
  /** Makes recorded calls again, without a test runner. Absent: behaviour cannot be compared in this language. */
  replay?(order: ReplayOrder, toolchain: Toolchain): ProgramRun;
  /** Whether the tests' own process can make calls again (`RecordOrder.place`). */
  readonly callsInPlace?: boolean;
  /**
   * Puts texts in the place of these sources that write calls down themselves. Absent where `testRun` takes `record`.
   */
  recordIn?(sources: SourceFile[], order: RecordOrder, parsers: SyntaxParsers): Promise<ProgramRun>;
}
