import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { LanguageName } from "../../domain/plan/spec.ts";
import { type CommandResult, WORKSPACE } from "../../sandbox/sandbox.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { judgeRun } from "../judge-run.ts";
import type {
  DrivenJob,
  Language,
  ProgramRun,
  SourceFile,
  TestRun,
  TestRunOptions,
  Toolchain,
  Trace,
  TraceFile,
  WitnessOrder,
  WitnessRun,
} from "../language.ts";
import type { RecordOrder, ReplayOrder } from "../recorded-calls.ts";
import { asArgument, reportFileFor } from "../report-file.ts";
import { clip, type ReportLines, readReportLines } from "../report-lines.ts";
import { findNode, type NodeProgram } from "./find-node.ts";
import { readJestReport } from "./jest-report.ts";
import { asModule, READS } from "./node-programs.ts";
import { readCoverage } from "./read-coverage.ts";
import { recordSources, WRITE_FILES } from "./record-sources.ts";
import { REPLAY_PROGRAM } from "./replay-program.ts";
import { isRunnerName, type RunnerName } from "./runners.ts";
import { readTap } from "./tap-report.ts";
import { testCommand } from "./test-command.ts";
import { testCommandOf } from "./test-script.ts";
import { driveNode, witnessBesideRunner, witnessInNodeTest, witnessNode } from "./witness.ts";

export const SOURCE = /\.[cm]?[jt]sx?$/;
/** `index.test-d.ts` is a test of types. */
const TEST_NAME = /((\.|-|_)(test|spec)(-d)?|(^|\/)test(-[^/]*)?)\.[cm]?[jt]sx?$/;

/** The differences between the languages that Node runs. */
export interface Dialect {
  name: LanguageName;
  detect(paths: string[]): number;
  scaffold(): SourceFile[];
  /** Source files of the dialect. If a project has several kinds of tests, new ones look like these. */
  source: RegExp;
  /** Of a first test. */
  testEnding: string;
  checks: string[][];
  advice?(testCommand: string): string;
}

/** Everything that Node runs, with the runners of `runners.ts`. Any other is judged by its exit code. */
export class ScriptLanguage implements Language {
  readonly name: LanguageName;
  readonly #dialect: Dialect;
  readonly #node: NodeProgram;
  readonly #toolchains = new Map<string, Toolchain>();

  constructor(dialect: Dialect, node: NodeProgram) {
    this.name = dialect.name;
    this.#dialect = dialect;
    this.#node = node;
  }

  detect(paths: string[]): number {
    return this.#dialect.detect(paths);
  }

  scaffold(): SourceFile[] {
    return this.#dialect.scaffold();
  }

  checks(): string[][] {
    return this.#dialect.checks;
  }

  advice(testCommand: string): string {
    return this.#dialect.advice?.(testCommand) ?? "";
  }

  testPath(name: string, paths: string[]): string {
    const tests = paths.filter((path) => this.isTestFile(path));
    const directories = tests.map((path) => path.slice(0, path.lastIndexOf("/") + 1));
    const usual = ["test/", "tests/", "__tests__/", "src/", ""].find((directory) => directories.includes(directory));
    const { source, testEnding } = this.#dialect;
    const like = tests.find((path) => source.test(path)) ?? tests[0] ?? "";
    const ending = /\.(test|spec)\.[cm]?[jt]s$/.exec(like)?.[0] ?? testEnding;
    const bare = name.replace(/\.(test|spec)?\.?[cm]?[jt]sx?$/, "").replace(/[^A-Za-z0-9]+/g, "-");
    return `${usual ?? directories[0] ?? "test/"}${bare}${ending}`;
  }

  isTestFile(path: string): boolean {
    return TEST_NAME.test(path) || (/(^|\/)(test|__tests__)\//.test(path) && SOURCE.test(path));
  }

  async toolchain(directory: string, environment?: string): Promise<Toolchain> {
    const key = `${directory}\0${environment ?? ""}`;
    const known = this.#toolchains.get(key);
    if (known) return known;
    const found = findNode(directory, this.#node, environment);
    this.#toolchains.set(key, found);
    return found;
  }

  toolchainFor(toolchain: Toolchain, read: (path: string) => string | null): Toolchain {
    return { ...toolchain, ...testCommandOf(read("package.json") ?? "") };
  }

  testRun(files: string[], toolchain?: Toolchain, { vary, trace, meantToFail }: TestRunOptions = {}): TestRun {
    const report = reportFileFor(files);
    const runner = runnerOf(toolchain);
    const traceDirectory = `${report.name}-trace`;
    const isTraced = trace !== undefined && traces(runner, toolchain);
    const transforms = runner === "vitest" || runner === "jest";
    const { argv, env, display } = testCommand({
      runner,
      script: toolchain?.script ?? "node --test",
      before: toolchain?.before ?? [],
      files: files.map(asArgument),
      report: report.path,
      versions: toolchain?.versions ?? {},
      coverage: isTraced && transforms ? { directory: `${WORKSPACE}/${traceDirectory}`, paths: trace } : null,
    });
    return {
      argv,
      display,
      runner,
      files,
      reportFile: report.name,
      ...(isTraced && { traceDirectory }),
      env: {
        ...env,
        ...(isTraced && {
          MIRACLE_READS: `${WORKSPACE}/${traceDirectory}`,
          NODE_OPTIONS: `--import=${asModule(READS)} ${env.NODE_OPTIONS ?? ""}`.trim(),
        }),
        ...(isTraced && !transforms && { NODE_V8_COVERAGE: `${WORKSPACE}/${traceDirectory}` }),
        ...(vary && { TZ: vary.timeZone, MIRACLE_SEED: `${vary.seed}` }),
        ...(meantToFail && { MIRACLE_MEANT_TO_FAIL: "1" }),
      },
    };
  }

  parseReport(report: string | null, result: CommandResult, run: TestRun): TestReport {
    return judgeRun(readLines(report ?? "", result, run), result, run);
  }

  witness(order: WitnessOrder, toolchain: Toolchain): WitnessRun {
    return witnessNode(order, toolchain);
  }

  witnessInRunner(order: WitnessOrder, toolchain: Toolchain): WitnessRun {
    return toolchain.runner === "node:test"
      ? witnessInNodeTest(order, (files) => this.testRun(files, toolchain), toolchain)
      : witnessBesideRunner(order, toolchain);
  }

  drive(order: WitnessOrder, job: DrivenJob, toolchain: Toolchain): WitnessRun {
    return driveNode(order, job, toolchain);
  }

  readTrace(files: TraceFile[], paths: string[], read: (path: string) => string | null, root: string): Trace {
    return readCoverage(files, { paths, read, root, isTestFile: (path) => this.isTestFile(path) });
  }

  readonly callsInPlace = true;

  async recordIn(sources: SourceFile[], order: RecordOrder, parsers: SyntaxParsers): Promise<ProgramRun> {
    const stdin = JSON.stringify(await recordSources(sources, order, parsers));
    return { argv: ["node", "-e", WRITE_FILES], env: {}, stdin };
  }

  replay({ mutants, ...order }: ReplayOrder): ProgramRun {
    const tried = mutants.map(({ mutant, ...one }) => ({ ...one, id: mutant.id, path: mutant.path }));
    const options = ["--experimental-transform-types", "--no-warnings", "--input-type=module"];
    return {
      argv: ["node", ...options, "-e", REPLAY_PROGRAM],
      env: {},
      stdin: JSON.stringify({ ...order, mutants: tried }),
    };
  }
}

const runnerOf = (toolchain?: Toolchain): RunnerName =>
  toolchain && isRunnerName(toolchain.runner) ? toolchain.runner : "node:test";

/** Vitest runs transformed sources, whose positions only its own coverage knows: a package that may not be there. */
const traces = (runner: RunnerName, toolchain?: Toolchain): boolean =>
  runner !== "vitest" || toolchain?.versions["@vitest/coverage-v8"] !== undefined;

function readLines(report: string, result: CommandResult, run: TestRun): ReportLines {
  const none: ReportLines = { tests: [], running: [], ended: false };
  switch (run.runner) {
    case "vitest":
    case "jest":
      return readJestReport(report);
    case "tap":
    case "tape":
      return readTap(report) ?? none;
    case "script":
      return readTap(report) ?? byExitCode(result, run);
    default:
      return readReportLines(report);
  }
}

/** A runner whose output we cannot read counts as one test, which passes or fails. */
function byExitCode(result: CommandResult, run: TestRun): ReportLines {
  if (result.exitCode === null) return { tests: [], running: [], ended: false };
  const file = "package.json";
  const message = result.exitCode === 0 ? "" : clip(`${result.stdout}\n${result.stderr}`);
  const outcome = result.exitCode === 0 ? "passed" : "failed";
  const name = run.display;
  return {
    tests: [{ id: `${file}::${name}`, file, name, outcome, durationMs: result.durationMs, message }],
    running: [],
    ended: true,
  };
}
