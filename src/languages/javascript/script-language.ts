import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { LanguageName } from "../../domain/plan/spec.ts";
import { type CommandResult, WORKSPACE } from "../../sandbox/sandbox.ts";
import type { SyntaxParsers } from "../../syntax/parse.ts";
import { judgeRun } from "../judge-run.ts";
import type { Language, ProgramRun, SourceFile, TestRun, TestRunOptions, Toolchain, Trace } from "../language.ts";
import type { RecordOrder, ReplayOrder } from "../recorded-calls.ts";
import { asArgument, reportFileFor } from "../report-file.ts";
import { clip, type ReportLines, readReportLines } from "../report-lines.ts";
import { findNode, type NodeProgram, testCommandOf } from "./find-node.ts";
import { readJestReport } from "./jest-report.ts";
import { readMochaReport } from "./mocha-report.ts";
import { asModule, REPORTER, STEADY_FAST_CHECK, WHOLE_TITLES } from "./node-programs.ts";
import { readCoverage } from "./read-coverage.ts";
import { recordSources, WRITE_FILES } from "./record-sources.ts";
import { REPLAY_PROGRAM } from "./replay-program.ts";
import { scriptOptions } from "./script-options.ts";

export const SOURCE = /\.[cm]?[jt]sx?$/;
const TEST_NAME = /((\.|-|_)(test|spec)|(^|\/)test(-[^/]*)?)\.[cm]?[jt]sx?$/;

/** The differences between the languages that Node runs. */
export interface Dialect {
  name: LanguageName;
  detect(paths: string[]): number;
  scaffold(): SourceFile[];
  /** Source files of the dialect. If a project has several kinds of tests, new ones look like these. */
  source: RegExp;
  /** Of a first test. */
  testEnding: string;
  advice?(testCommand: string): string;
}

/** Everything that Node runs, with node:test, Vitest, Jest or Mocha. Any other runner is judged by its exit code. */
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

  async toolchain(directory: string): Promise<Toolchain> {
    const known = this.#toolchains.get(directory);
    if (known) return known;
    const found = findNode(directory, this.#node);
    this.#toolchains.set(directory, found);
    return found;
  }

  toolchainFor(toolchain: Toolchain, read: (path: string) => string | null): Toolchain {
    return { ...toolchain, ...testCommandOf(read("package.json") ?? "") };
  }

  testRun(files: string[], toolchain?: Toolchain, { vary, trace }: TestRunOptions = {}): TestRun {
    const report = reportFileFor(files);
    const named = files.map(asArgument);
    const runner = toolchain?.runner ?? "node:test";
    const traceDirectory = `${report.name}-trace`;
    // Vitest and Jest run transformed sources, whose positions differ.
    const isTraced = trace !== undefined && runner !== "vitest" && runner !== "jest";
    const shared = { runner, files, reportFile: report.name, ...(isTraced && { traceDirectory }) };
    const extra = {
      ...(isTraced && { NODE_V8_COVERAGE: `${WORKSPACE}/${traceDirectory}` }),
      ...(vary && { TZ: vary.timeZone, MIRACLE_SEED: `${vary.seed}` }),
    };
    const steady = `--import=${asModule(STEADY_FAST_CHECK)}`;
    if (runner === "vitest") {
      const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report.path}`];
      return {
        ...shared,
        argv: ["node", "node_modules/vitest/vitest.mjs", "run", ...reporters, ...named],
        env: { NODE_OPTIONS: steady, ...extra },
        display: ["vitest run", ...files].join(" "),
      };
    }
    if (runner !== "node:test") {
      const script = toolchain?.script ?? "false";
      const own = OWN_OPTIONS[runner]?.(report.path, named) ?? named;
      const loaded = runner === "mocha" ? `${steady} --import=${asModule(WHOLE_TITLES)}` : steady;
      return {
        ...shared,
        argv: ["bash", "-c", `${script} "$@"`, "bash", ...own],
        env: { NODE_OPTIONS: loaded, ...extra },
        display: [script, ...files].join(" "),
      };
    }
    const { options, patterns } = scriptOptions(toolchain?.script ?? null);
    const reporters = [
      `--test-reporter=${asModule(REPORTER)}`,
      `--test-reporter-destination=${report.path}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
    ];
    const wanted = named.length > 0 ? named : patterns;
    return {
      ...shared,
      argv: ["node", steady, ...options, "--test", ...reporters, ...wanted],
      env: extra,
      display: ["node --test", ...files].join(" "),
    };
  }

  parseReport(report: string | null, result: CommandResult, run: TestRun): TestReport {
    if (run.runner === "vitest" || run.runner === "jest") return judgeRun(readJestReport(report ?? ""), result, run);
    if (run.runner === "mocha") return judgeRun(readMochaReport(report ?? ""), result, run);
    if (run.runner === "script") return judgeRun(byExitCode(result, run), result, run);
    return judgeRun(readReportLines(report ?? ""), result, run);
  }

  readTrace(files: string[], paths: string[], read: (path: string) => string | null, root: string): Trace {
    return readCoverage(files, { paths, read, root, isTestFile: (path) => this.isTestFile(path) });
  }

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

/** Options that are appended to a project's own test script, so that it writes a report. */
const OWN_OPTIONS: Record<string, (report: string, files: string[]) => string[]> = {
  // With `--ci` a missing snapshot is a failure. Otherwise it would be written and then equal itself.
  jest: (report, files) => [
    ...["--json", `--outputFile=${report}`, "--ci", "--coverage=false", "--watchman=false"],
    ...(files.length > 0 ? ["--runTestsByPath", ...files] : []),
  ],
  mocha: (report, files) => ["--reporter", "json", "--reporter-option", `output=${report}`, ...files],
};

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
