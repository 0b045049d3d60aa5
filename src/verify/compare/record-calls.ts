import { lstatSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runsInPlace } from "../../domain/settings/settings.ts";
import type { ProgramRun, SourceFile } from "../../languages/language.ts";
import { readReport } from "../../languages/read-report.ts";
import type { PlaceOrder, RecordOrder } from "../../languages/recorded-calls.ts";
import { runTests } from "../../languages/run-tests.ts";
import { WORKSPACE } from "../../sandbox/sandbox.ts";
import { grammarOf, type SyntaxParsers } from "../../syntax/parse.ts";
import type { Surroundings } from "../mutants/surroundings.ts";
import { type Line, type RecordedCall, type RecordedFunction, readLines } from "./call-lines.ts";
import { keyOf } from "./changed-function.ts";

export interface Recording {
  functions: RecordedFunction[];
  calls: RecordedCall[];
  paths: string[];
  problem: string | null;
}

export interface RecordRequest extends Surroundings {
  workspace: string;
  /** Test files; empty: all. */
  tests: string[];
  files: RecordOrder["files"];
  /** Tests whose calls are kept however many others there are. */
  first?: readonly string[];
  inPlace?: PlaceOrder;
  parsers: SyntaxParsers;
  timeoutMs: number;
}

const DIRECTORY = ".miracle-calls";
const MOST_FILES = 200;
const MOST_SOURCES = 2_000;

/** Runs the tests once, and writes down with which arguments they call these functions. */
export async function recordCalls(request: RecordRequest): Promise<Recording> {
  const { processes, ending } = await runRecorded(request);
  const functions = together(processes);
  const lines = processes.flat();
  const calls = lines.flatMap((line) => ("call" in line ? [line.call] : []));
  const paths = [...new Set(lines.flatMap((line) => ("paths" in line ? line.paths : [])))];
  const silent = calls.length === 0 && ending !== "completed";
  const problem = silent ? `the tests do not come to their end while calls are recorded (${ending})` : null;
  return { functions, calls, paths, problem };
}

/** What each process of the tests wrote down. */
export async function runRecorded(request: RecordRequest): Promise<{ processes: Line[][]; ending: string }> {
  const { language, sandbox, workspace, files, first = [], inPlace: place } = request;
  const root = runsInPlace(sandbox.backend) ? realpathSync(workspace) : WORKSPACE;
  const record: RecordOrder = { files, first, out: `${root}/${DIRECTORY}`, ...(place && { place }) };
  const directory = join(workspace, DIRECTORY);
  rmSync(directory, { recursive: true, force: true });
  if (language.recordIn) {
    const sources = sourcesBelow(workspace, (path) => !language.isTestFile(path) && grammarOf(path) !== null);
    await put(await language.recordIn(sources, record, request.parsers), request);
  }
  const limits = { ...request.limits, timeoutMs: Math.min(request.limits.timeoutMs, Math.ceil(request.timeoutMs)) };
  const report = await runTests({ ...request, limits, files: request.tests, options: { record } });
  return { processes: written(directory).map(readLines), ending: report.ending };
}

/** Of each process its last word about a function counts; what several say is added up. */
function together(processes: Line[][]): RecordedFunction[] {
  const all = new Map<string, RecordedFunction>();
  for (const lines of processes) {
    const last = new Map<string, RecordedFunction>();
    for (const line of lines) if ("function" in line) last.set(keyOf(line.function), line.function);
    for (const [key, one] of last) {
      const { seen = 0, distinct = 0, lost = 0, why = "" } = all.get(key) ?? {};
      const sums = { seen: seen + one.seen, distinct: distinct + one.distinct, lost: lost + one.lost };
      all.set(key, { ...one, ...sums, why: why || one.why });
    }
  }
  return [...all.values()];
}

/** Written by untrusted code: no link is followed. */
function written(directory: string): string[] {
  if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  const names = readdirSync(directory).sort().slice(0, MOST_FILES);
  return names.flatMap((name) => readReport(join(directory, name)) ?? []);
}

function sourcesBelow(workspace: string, isSource: (path: string) => boolean): SourceFile[] {
  const found: SourceFile[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined && found.length < MOST_SOURCES; folder = open.pop()) {
    for (const entry of readdirSync(join(workspace, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git") open.push(path);
      if (!entry.isFile() || !isSource(path)) continue;
      const content = readReport(join(workspace, path));
      if (content !== null) found.push({ path, content });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** From inside: only the sandbox writes where code of the project may have made links. */
async function put({ argv, env, stdin }: ProgramRun, { sandbox, toolchain, limits, signal, workspace }: RecordRequest) {
  const { mounts, path } = toolchain;
  await sandbox.run({ argv, stdin, workspace, mounts, path, env: { ...toolchain.env, ...env } }, limits, signal);
}
