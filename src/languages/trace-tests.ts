import { lstatSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestReport } from "../domain/evidence/test-report.ts";
import { WORKSPACE } from "../sandbox/sandbox.ts";
import { ALL_TESTS, type ReadBy, type RunLines, type TraceFile } from "./language.ts";
import { readReport } from "./read-report.ts";
import { runTests, type TestRequest } from "./run-tests.ts";

export interface TraceRequest extends TestRequest {
  /** Files whose lines are watched. */
  paths: string[];
  /** The text of such a file. */
  read: (path: string) => string | null;
}

/** A run of the tests that also tells which lines they ran. */
export interface TracedRun {
  report: TestReport;
  /** Null when the runner cannot tell; `reason` says why. */
  lines: RunLines | null;
  reason: string;
  /** Modules from outside of the workspace that the run loaded, for a process that is to be warm. */
  modules: string[];
  /** Who opened or imported what; absent where nobody could tell. */
  reads?: ReadBy[];
}

const MOST_FILES = 2_000;

/** Runs tests as `runTests` does, and watches which lines of these files they run. */
export async function traceTests({ paths, read, ...request }: TraceRequest): Promise<TracedRun> {
  const { language, toolchain, files, workspace } = request;
  const options = { ...request.options, trace: paths };
  const { traceDirectory, runner } = language.testRun(files, toolchain, options);
  if (traceDirectory === undefined || !language.readTrace) {
    const reason = `${runner} does not tell which lines run`;
    return { report: await runTests(request), lines: null, reason, modules: [] };
  }
  const directory = join(workspace, traceDirectory);
  const remove = () => rmSync(directory, { recursive: true, force: true });
  remove();
  try {
    const report = await runTests({ ...request, options });
    if (report.ending !== "completed") return await unwatched(request, report);
    const root = request.sandbox.backend === "process" ? realpathSync(workspace) : WORKSPACE;
    const { lines, modules, reads } = language.readTrace(readFiles(directory), paths, read, root);
    const expanded = wholeFiles(lines, report);
    return { report, lines: expanded, reason: "", modules, ...(reads && { reads }) };
  } finally {
    remove();
  }
}

/** Watching slows a run down, and some code does not bear it: what the tests say by themselves counts. */
async function unwatched(request: TestRequest, watched: TestReport): Promise<TracedRun> {
  const report = await runTests(request);
  const reason = `the tests do not come to their end while they are watched (${watched.ending})`;
  return { report, lines: null, reason, modules: [] };
}

/** Written by untrusted code: no link is followed. */
function readFiles(directory: string): TraceFile[] {
  if (!lstatSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(directory)
    .sort()
    .slice(0, MOST_FILES)
    .flatMap((name) => {
      const text = readReport(join(directory, name));
      return text === null ? [] : [{ name, text }];
    });
}

/** Where only the test file is known, each of its tests counts; where not even that is, each of all. */
function wholeFiles(lines: RunLines, report: TestReport): RunLines {
  const byFile = Map.groupBy(report.tests, ({ file }) => file);
  const all = report.tests.map(({ id }) => id);
  const idsOf = (test: string) => (test === ALL_TESTS ? all : (byFile.get(test)?.map(({ id }) => id) ?? [test]));
  return new Map(
    [...lines].map(([path, known]) => [
      path,
      new Map([...known].map(([line, tests]) => [line, new Set([...tests].flatMap(idsOf))])),
    ]),
  );
}
