import { join } from "node:path";
import type { Variation } from "../../domain/evidence/flake-report.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { type CommandResult, WORKSPACE } from "../../sandbox/sandbox.ts";
import { read } from "../fingerprint.ts";
import { judgeRun } from "../judge-run.ts";
import {
  CONTROL_COMMENTS,
  type Language,
  type MutantBatch,
  type ProgramRun,
  type SourceFile,
  type TestRun,
  type TestRunOptions,
  type Toolchain,
  type Trace,
  type TraceFile,
  type WitnessOrder,
  type WitnessRun,
} from "../language.ts";
import type { RecordOrder, ReplayOrder } from "../recorded-calls.ts";
import { asArgument, reportFileFor } from "../report-file.ts";
import { readReportLines } from "../report-lines.ts";
import { COMPARE_PROGRAM } from "./compare-program.ts";
import { findPython, type PythonEnvironment } from "./find-python.ts";
import { MUTANT_SERVER } from "./mutant-server.ts";
import { PLACE_PLUGIN } from "./place-plugin.ts";
import { projectCommand } from "./project-command.ts";
import { PYTEST_PROGRAM, pytestProgram } from "./pytest-program.ts";
import { readTraceLines } from "./read-trace.ts";
import { READS_PLUGIN } from "./reads-plugin.ts";
import { RECORD_PLUGIN } from "./record-plugin.ts";
import { REPLAY_SERVER } from "./replay-server.ts";
import { SHUFFLE_PLUGIN, TRACE_PLUGIN } from "./trace-plugin.ts";
import { witnessInPytest, witnessPython } from "./witness.ts";

/** Internal error and wrong usage: pytest ran no test, or not all of them. */
const PYTEST_BROKE = new Set([3, 4]);

const CONFIGURATION = /^(pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt|Pipfile|pytest\.ini)$/;
const TEST_FILE = /(^|\/)(test_[^/]*|[^/]*_test|tests)\.py$|^test\.py$/;

/** Python with pytest and Hypothesis. */
export class Python implements Language {
  readonly name = "python";
  readonly #environment: PythonEnvironment;
  readonly #toolchains = new Map<string, Toolchain>();

  constructor(environment: PythonEnvironment) {
    this.#environment = environment;
  }

  detect(paths: string[]): number {
    if (paths.some((path) => CONFIGURATION.test(path))) return 0.9;
    const sources = paths.filter((path) => path.endsWith(".py")).length;
    return paths.length === 0 ? 0 : Math.min(0.8, sources / paths.length + (sources > 0 ? 0.2 : 0));
  }

  /** Nothing is needed: modules are found from the root and from src/ without any configuration file. */
  scaffold(): SourceFile[] {
    return [];
  }

  checks(): string[][] {
    return [
      [
        "ruff check --isolated --no-cache --output-format=concise .",
        "python3 -m pyflakes .",
        "python3 -W error -m compileall -q .",
      ],
      ["mypy --config-file= --cache-dir=/dev/null --ignore-missing-imports ."],
    ];
  }

  testPath(name: string, paths: string[]): string {
    const tests = paths.filter((path) => this.isTestFile(path));
    const directories = tests.map((path) => path.slice(0, path.lastIndexOf("/") + 1));
    const usual = ["tests/", "test/", ""].find((directory) => directories.includes(directory));
    const bare = name
      .replace(/\.py$/, "")
      .replace(/[^A-Za-z0-9]+/g, "_")
      .replace(/^test_/, "");
    // Without configuration a bare `pytest` finds only modules beside the test.
    const first = paths.some((path) => CONFIGURATION.test(path)) ? "tests/" : "";
    return `${usual ?? directories[0] ?? first}test_${bare}.py`;
  }

  isTestFile(path: string): boolean {
    return TEST_FILE.test(path);
  }

  async toolchain(directory: string, environment?: string): Promise<Toolchain> {
    const key = `${directory}\0${environment ?? ""}`;
    const known = this.#toolchains.get(key);
    if (known) return known;
    const found = findPython(directory, this.#environment, environment);
    const toolchain = this.toolchainFor(found, (path) => read(join(directory, path)));
    this.#toolchains.set(key, toolchain);
    return toolchain;
  }

  toolchainFor(toolchain: Toolchain, readFile: (path: string) => string | null): Toolchain {
    return { ...toolchain, given: projectCommand(readFile) };
  }

  testRun(files: string[], toolchain?: Toolchain, { vary, trace, record, meantToFail }: TestRunOptions = {}): TestRun {
    const report = reportFileFor(files);
    const traceDirectory = `${report.name}-trace`;
    const given = toolchain?.given ?? { options: [], places: [], env: {} };
    const own = ["-p", "no:cacheprovider", `--rootdir=${WORKSPACE}`, "--continue-on-collection-errors", "-q"];
    const options = [...own, ...given.options];
    const places = files.length > 0 ? [] : given.places;
    return {
      argv: ["python3", "-B", "-c", programFor({ vary, trace, record }), ...options, ...files.map(asArgument)],
      runner: "pytest",
      files,
      env: {
        ...given.env,
        MIRACLE_REPORT: report.path,
        ...(places.length > 0 && { MIRACLE_PLACES: JSON.stringify(places) }),
        ...(trace && { MIRACLE_TRACE: JSON.stringify(trace), MIRACLE_TRACE_OUT: `${WORKSPACE}/${traceDirectory}` }),
        ...(record && { MIRACLE_RECORD: JSON.stringify(inSeconds(record)) }),
        ...(vary && variedEnvironment(vary)),
        ...(meantToFail && { MIRACLE_MEANT_TO_FAIL: "1" }),
      },
      reportFile: report.name,
      display: ["python3 -m pytest", ...[...given.options, ...places, ...files].map(shown)].join(" "),
      ...(trace && { traceDirectory }),
    };
  }

  parseReport(report: string | null, result: CommandResult, run: TestRun): TestReport {
    const lines = readReportLines(report ?? "");
    const ended = lines.ended && !PYTEST_BROKE.has(result.exitCode ?? 0);
    return judgeRun({ ...lines, ended }, result, run);
  }

  readTrace(files: TraceFile[], paths: string[]): Trace {
    return readTraceLines(
      files.map(({ text }) => text),
      paths,
    );
  }

  comparison(originals: Map<string, string>, mutants: readonly Mutant[]): ProgramRun {
    const stdin = JSON.stringify({
      originals: Object.fromEntries(originals),
      mutants: mutants.map((mutant) => inBytes(originals, mutant)),
    });
    return { argv: ["python3", "-I", "-S", "-B", "-c", COMPARE_PROGRAM], env: {}, stdin };
  }

  witness(order: WitnessOrder, toolchain: Toolchain): WitnessRun {
    const run = witnessPython(order, toolchain);
    return { ...run, env: { ...toolchain.given?.env, ...run.env } };
  }

  witnessInRunner(order: WitnessOrder, toolchain: Toolchain): WitnessRun {
    return witnessInPytest(order, (files) => this.testRun(files, toolchain), toolchain);
  }

  mutantServer(batch: MutantBatch, { env, given }: Toolchain): ProgramRun {
    const { originals, jobs, modules, memoryMb } = batch;
    const comment = CONTROL_COMMENTS.python ?? "";
    const control = (path: string) => {
      const size = Buffer.byteLength(originals.get(path) ?? "");
      return { path, from: size, to: size, replacement: comment };
    };
    const order = new Map<string, number>();
    for (const test of jobs.flatMap(({ tests }) => tests)) if (!order.has(test)) order.set(test, order.size);
    const stdin = JSON.stringify({
      originals: Object.fromEntries(originals),
      modules,
      options: given?.options ?? [],
      memory: Math.floor(memoryMb * 1024 * 1024 * 0.9),
      deadline: batch.deadlineMs / 1000,
      closing: batch.closingMs / 1000,
      comment,
      order: Object.fromEntries(order),
      jobs: jobs.map(({ id, path, mutant, tests, beyond, timeoutMs, usualMs }) => ({
        ...(mutant ? inBytes(originals, mutant) : control(path)),
        id,
        whole: mutant === null,
        tests,
        beyond,
        timeout: timeoutMs / 1000,
        cpu: usualMs / 1000,
      })),
    });
    const argv = ["python3", "-B", "-c", MUTANT_SERVER, WORKSPACE];
    return { argv, env: { ...given?.env, PYTHONPATH: "", MIRACLE_PATH: env.PYTHONPATH ?? WORKSPACE }, stdin };
  }

  readonly callsInPlace = true;

  replay(order: ReplayOrder): ProgramRun {
    const { mutants, callMs, deadlineMs, memoryMb, ...rest } = order;
    const stdin = JSON.stringify({
      ...rest,
      call: callMs / 1000,
      deadline: deadlineMs / 1000,
      memory: Math.floor(memoryMb * 1024 * 1024 * 0.9),
      mutants: mutants.map(({ mutant, ...tried }) => ({ ...tried, id: mutant.id, path: mutant.path })),
    });
    const env = { PYTHONHASHSEED: order.attempt === 1 ? "0" : "1" };
    return { argv: ["python3", "-B", "-c", REPLAY_SERVER], env, stdin };
  }
}

/** As a person would type it. */
const shown = (word: string): string => (/^[\w@%+=:,./*-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Python counts characters differently; bytes are the same for all. */
function inBytes(originals: Map<string, string>, { path, from, to, replacement }: Mutant) {
  const text = originals.get(path) ?? "";
  const start = Buffer.byteLength(text.slice(0, from));
  return { path, from: start, to: start + Buffer.byteLength(text.slice(from, to)), replacement };
}

function inSeconds({ place, ...order }: RecordOrder) {
  if (!place) return order;
  const { vary, callMs, deadlineMs, memoryMb } = place;
  const memory = Math.floor(memoryMb * 1024 * 1024 * 0.9);
  return { ...order, place: { vary, call: callMs / 1000, deadline: deadlineMs / 1000, memory } };
}

function programFor({ vary, trace, record }: TestRunOptions): string {
  // Only one can watch at a time.
  if (record) return pytestProgram(record.place ? PLACE_PLUGIN : RECORD_PLUGIN, "recorder, ");
  if (!trace && vary?.orderSeed == null) return PYTEST_PROGRAM;
  const shuffles = vary?.orderSeed != null;
  const source = `${trace ? READS_PLUGIN + TRACE_PLUGIN : ""}${shuffles ? SHUFFLE_PLUGIN : ""}`;
  return pytestProgram(source, `${trace ? "watch, reads, " : ""}${shuffles ? "Shuffle(), " : ""}`);
}

function variedEnvironment({ orderSeed, seed, timeZone }: Variation): Record<string, string> {
  return {
    TZ: timeZone,
    PYTHONHASHSEED: `${seed}`,
    MIRACLE_SEED: `${seed}`,
    ...(orderSeed !== null && { MIRACLE_ORDER_SEED: `${orderSeed}` }),
  };
}
