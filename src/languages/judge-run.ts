import { isRed, type TestCase, type TestReport } from "../domain/evidence/test-report.ts";
import type { CommandResult } from "../sandbox/sandbox.ts";
import type { TestRun } from "./language.ts";
import { clip, type ReportLines } from "./report-lines.ts";

const LONGEST_OUTPUT = 12_000;

/** Combines the runner's report with the ending of its process. A limit that was hit is never a red test. */
export function judgeRun(lines: ReportLines, result: CommandResult, run: TestRun): TestReport {
  const ending = endingOf(lines, result);
  const output = outputOf(result);
  const tests = [...lines.tests];
  if (ending === "completed") tests.push(...silent(tests, run), ...unexplained(tests, result, output));
  if (ending === "crashed") tests.push(...interrupted(lines, result));
  const running = lines.running.map(({ file, name }) => `${file}::${name}`);
  const stillRunning = ending === "completed" || running.length === 0 ? "" : `\nstill running: ${running.join(", ")}\n`;
  return {
    command: run.display,
    ending,
    exitCode: result.exitCode,
    tests,
    output: clip(output + stillRunning, LONGEST_OUTPUT),
    durationMs: result.durationMs,
  };
}

function endingOf(lines: ReportLines, result: CommandResult): TestReport["ending"] {
  if (result.ending === "timeout") return "timeout";
  if (result.ending !== "exited") return "resource-limit";
  return lines.ended && result.exitCode !== null ? "completed" : "crashed";
}

/** A requested file without any test that ran, while other files ran. It must not pass for lack of tests. */
function silent(tests: TestCase[], run: TestRun): TestCase[] {
  if (tests.length === 0) return [];
  const asked = new Set(run.files.map((file) => file.split("::")[0] ?? file).filter((file) => /\.\w+$/.test(file)));
  const heard = new Set(tests.map((test) => test.file));
  return [...asked].filter((file) => !heard.has(file)).map((file) => broken(file, "file", "no test of this file ran"));
}

/** The runner failed, and no test explains it: a hook, a plugin, a threshold. */
function unexplained(tests: TestCase[], result: CommandResult, output: string): TestCase[] {
  if (result.exitCode === 0 || tests.length === 0 || tests.some(isRed)) return [];
  return [broken("", "run", `the test command ended with exit code ${result.exitCode}\n${clip(output, 2_000)}`)];
}

function interrupted(lines: ReportLines, result: CommandResult): TestCase[] {
  const how = result.signal ?? `exit code ${result.exitCode}`;
  return lines.running.map(({ file, name }) => broken(file, name, `the test run ended (${how}) while this test ran`));
}

const broken = (file: string, name: string, message: string): TestCase => ({
  id: `${file}::${name}`,
  file,
  name,
  outcome: "error",
  durationMs: 0,
  message,
});

const outputOf = ({ stdout, stderr }: CommandResult) =>
  stderr.trim() === "" ? stdout : stdout.trim() === "" ? stderr : `${stdout}\n${stderr}`;
