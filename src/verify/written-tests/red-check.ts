import { z } from "zod";
import { isNamed } from "../../domain/evidence/match-test.ts";
import { isRed, type TestCase, TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";

/** New tests before the change: those of things that exist on the base tree, those of new things on stub trees. */
export const RedRuns = z.lazy(() =>
  z.object({
    /** Null when every file is about something new. */
    base: TestReport.nullable(),
    /** Null when no file is. */
    stubs: z.object({ raising: TestReport, default: TestReport, sentinel: TestReport }).nullable(),
    /** The files that ran on the stub trees. */
    onStubs: z.array(z.string()),
  }),
);
export type RedRuns = z.infer<typeof RedRuns>;

/** What the tree before the change says about new tests. */
interface RedCheck {
  /** Tests that do not show what the change brings. By `file::test`. */
  guards: Map<string, Guard>;
  /** Ids of single cases that pass without the change. */
  passed: string[];
  /** Why these tests cannot be used as they are; empty when they can. */
  problems: string[];
  /** Ids of the tests that must be seen again when the work is done. */
  ids: string[];
}

/** `green`: it passes without the change, so that it may show what is kept. `untold`: it can show nothing. */
export interface Guard {
  before: "green" | "untold";
  why: string;
}

/**
 * A test is red in the right way when it ran and its own assertion, or what it called, failed: not an import, not a
 * fixture. A raising stub alone turns even a tautology red, so a test of something new must also tell at least one of
 * two constant stubs from the real thing.
 */
export function checkRed(files: TestFile[], runs: RedRuns): RedCheck {
  const check: RedCheck = { guards: new Map(), passed: [], problems: [], ids: [] };
  for (const [where, report] of reportsOf(runs)) {
    if (report.ending === "completed" || report.ending === "crashed") continue;
    check.problems.push(`the tests hit the sandbox's limit (${report.ending}) ${where}; make them shorter`);
  }
  for (const file of files) {
    const onStubs = runs.onStubs.includes(file.path);
    const report = onStubs ? runs.stubs?.raising : runs.base;
    if (!report || check.problems.length > 0) continue;
    const unread = unreadable(file, report, onStubs);
    if (unread !== null) {
      check.problems.push(unread);
      continue;
    }
    for (const { test: name } of file.covers) checkTest(file, name, report, onStubs ? runs : null, check);
  }
  return check;
}

function checkTest(file: TestFile, name: string, report: TestReport, runs: RedRuns | null, check: RedCheck): void {
  const id = `${file.path}::${name}`;
  const found = casesOf(report, file.path, name);
  check.ids.push(...found.map((test) => test.id));
  if (found.length === 0) {
    const error = report.tests.find((test) => test.file === file.path && test.outcome === "error");
    const why = error ? `: ${error.name} fails before its tests are known${declared(error)}` : "";
    check.problems.push(`${file.path} has no test called ${name}${why}`);
    return;
  }
  if (found.some((test) => test.outcome === "skipped" || test.outcome === "xfailed")) {
    check.problems.push(`${id} is skipped or expected to fail: a test must run and be able to fail`);
    return;
  }
  // Where nothing is implemented, set-up that calls it is red as the test would be.
  const broken = found.find((test) => test.outcome === "error" && !(runs && isUnimplemented(test)));
  if (broken) {
    check.problems.push(`${id} fails in its set-up, before it tests anything: ${lastLines(broken.message)}`);
    return;
  }
  check.passed.push(...found.filter(isPassed).map((test) => test.id));
  const guard: Guard | null = runs
    ? passesOnStubs(file.path, name, runs)
    : found.every(isPassed)
      ? { before: "green", why: "it passes before any change" }
      : null;
  if (guard !== null) check.guards.set(id, guard);
}

/** Whether a test of something new cannot tell it from nothing; null when it can. */
function passesOnStubs(path: string, name: string, { stubs }: RedRuns): Guard | null {
  if (!stubs) return null;
  const fails = (report: TestReport) =>
    casesOf(report, path, name).some(
      (test) => test.outcome === "failed" || (report === stubs.raising && isRed(test) && isUnimplemented(test)),
    );
  if (!fails(stubs.raising)) return { before: "green", why: "it passes although nothing is implemented" };
  if (!fails(stubs.default) && !fails(stubs.sentinel))
    return { before: "untold", why: "it passes whatever the code gives back" };
  return null;
}

/** A file of which no test was collected. */
function unreadable(file: TestFile, report: TestReport, onStubs: boolean): string | null {
  const own = report.tests.filter((test) => test.file === file.path);
  const error = own.find((test) => test.outcome === "error");
  const collected = own.some((test) => file.covers.some(({ test: name }) => isNamed(test, file.path, name)));
  if (collected) return null;
  const where = onStubs ? "even where the names it imports exist" : "on the project as it is";
  if (error) return `${file.path} cannot be run ${where}${declared(error)}`;
  return own.length === 0 ? `no test of ${file.path} ran ${where}: ${lastLines(report.output)}` : null;
}

/** Stubs that raise say so. */
const isUnimplemented = ({ message }: TestCase): boolean => /\bnot implemented\b/i.test(message);

/** Why tests could not even be declared, and what to do where the code is called for that. */
function declared(error: TestCase): string {
  const calls = isUnimplemented(error) || isThrownByCode(error);
  const advice = calls
    ? "; it calls the code while its tests are declared, and that is not written yet: call it in the tests or their set-up"
    : "";
  const first = error.message
    .split("\n")
    .find((line) => /\w*(Error|Exception)\b/.test(line))
    ?.trim();
  const last = lastLines(error.message);
  return `: ${first && !last.includes(first) ? `${first}\n` : ""}${last}${advice}`;
}

/** An exception, and not of loading: another file of the project stands in the last frame. */
function isThrownByCode({ file, message }: TestCase): boolean {
  if (/SyntaxError|ImportError|ModuleNotFoundError|Cannot find module/.test(message)) return false;
  const scripts = [...message.matchAll(/^\s+at .*?([\w./-]+\.[cm]?[jt]sx?):\d+:\d+\)?$/gm)].map(
    ([, path = ""]) => path,
  );
  const frames = [...message.matchAll(/^([\w./-]+\.py):\d+: /gm)].map(([, path = ""]) => path);
  const last = scripts.find((path) => !path.includes("node_modules")) ?? frames.at(-1);
  return last !== undefined && !last.endsWith(file);
}

function reportsOf({ base, stubs }: RedRuns): [string, TestReport][] {
  const found: [string, TestReport][] = base ? [["on the project as it is", base]] : [];
  if (stubs) for (const [kind, report] of Object.entries(stubs)) found.push([`on a stub (${kind})`, report]);
  return found;
}

export const casesOf = (report: TestReport, path: string, name: string): TestCase[] =>
  report.tests.filter((test) => isNamed(test, path, name));

const isPassed = (test: TestCase): boolean => !isRed(test);

const lastLines = (text: string): string => text.trim().split("\n").slice(-4).join("\n");
