import { executed, isRed, type TestCase, type TestReport } from "../../domain/evidence/test-report.ts";
import { type AbsentThing, absentIn, type IsOwn } from "./absent-thing.ts";

/**
 * Why a suite does not come to life here, whatever the change does. The first thing to be said: everything else would
 * speak of lines that no test runs.
 */
export interface SuiteProblem {
  /** False: some tests run, but only a small part. */
  nothingRuns: boolean;
  /** What is wrong, and in how many tests. */
  what: string;
  /** What a person can do; empty where nobody knows. */
  remedy: string;
}

/** Of that many tests one may be green, and it is still a small part. */
const FEW_TESTS = 10;

/** Null where most tests run on one side at least, or where the base has none. */
export function suiteProblem(before: TestReport | null, after: TestReport | null, isOwn?: IsOwn): SuiteProblem | null {
  if (!before || !after) return null;
  if (!runsAnything(before) && !runsAnything(after)) {
    const why = reasonOf(before, isOwn) ?? reasonOf(after, isOwn);
    return why && { nothingRuns: true, what: `the tests do not run here: ${why.what}`, remedy: why.remedy };
  }
  if (!runsInPart(before, isOwn) || !runsInPart(after, isOwn)) return null;
  const why = mostAbsent(before, isOwn);
  return why && { nothingRuns: false, what: `only a part of the tests runs here: ${why.what}`, remedy: why.remedy };
}

/** In one line: what is wrong, what was tried, what to do. */
export const describeProblem = ({ what, remedy }: SuiteProblem, tried: readonly string[]): string =>
  [what, ...(tried.length > 0 ? [`tried: ${tried.join(", ")}`] : []), ...(remedy ? [`to do: ${remedy}`] : [])].join(
    "; ",
  );

/** With which packages the tests ran, by what is recorded of the tools. */
export function triedPackages({ environment }: Record<string, string>, missing: readonly string[]): string[] {
  if (missing.length > 0) return [...missing];
  return [environment === undefined ? "the packages that are installed" : `the packages of ${environment}`];
}

/** Tests that are red on both sides because something is not there: they say nothing of the change. */
export function absentBefore(before: TestReport | null, after: TestReport | null, isOwn?: IsOwn): string[] {
  const red = new Set(after?.tests.filter(isRed).map(({ id }) => id));
  const both = (before?.tests ?? []).filter((test) => isRed(test) && red.has(test.id));
  return byThing(both, isOwn).map(
    ({ what, remedy, tests }) => `${tests.length} red, as before: ${what}${remedy === "" ? "" : ` (${remedy})`}`,
  );
}

/** Whether any test came to an outcome of its own: one that fails by its assertion did run. */
function runsAnything(report: TestReport): boolean {
  return report.tests.some((test) => isGreen(test) || ranAndFailed(test));
}

const isGreen = ({ outcome }: TestCase): boolean => outcome === "passed" || outcome === "xfailed";

const ranAndFailed = (test: TestCase): boolean =>
  test.outcome === "failed" && !isWholeFile(test) && absentIn(test.message) === null;

/** A script is judged by its exit code: why it fails is not known. */
const isWholeFile = ({ name, file }: TestCase): boolean =>
  /^(file|collection|run)$/.test(name) || name.endsWith("::collection") || file === "package.json";

/**
 * Half of the files of tests have nothing green, or nearly all tests are red, and most of it for lack of something. A file
 * that cannot be loaded hides all of its tests, so files are counted and not only tests.
 */
function runsInPart({ tests }: TestReport, isOwn?: IsOwn): boolean {
  const green = tests.filter(isGreen);
  const red = tests.filter(isRed);
  const lacking = red.filter(({ message }) => absentIn(message, isOwn) !== null);
  const files = filesOf([...green, ...red]);
  const isSmall = filesOf(green) * 2 <= files || green.length * FEW_TESTS <= green.length + red.length;
  return red.length > 0 && lacking.length * 2 > red.length && isSmall;
}

const filesOf = (tests: readonly TestCase[]): number => new Set(tests.map(({ file }) => file)).size;

function reasonOf(report: TestReport, isOwn?: IsOwn): AbsentThing | null {
  if (report.ending === "timeout") return { what: "they do not come to their end in the time they have", remedy: "" };
  const most = mostAbsent(report, isOwn);
  if (most) return most;
  const absent = absentIn(report.output, isOwn);
  if (absent) return { ...absent, what: `${absent.what}, before any test` };
  const told = (what: string | null) => (what === null ? null : { what, remedy: "" });
  if (report.ending !== "completed" && executed(report) === 0)
    return told(lastLine(report.output) ?? "their runner breaks off");
  const [first] = report.tests.filter(isRed);
  return first ? told(lastLine(first.message) ?? lastLine(report.output)) : null;
}

/** What is absent in most of the tests, with their number, and how many lack something else. */
function mostAbsent({ tests }: TestReport, isOwn?: IsOwn): AbsentThing | null {
  const [most, ...others] = byThing(tests.filter(isRed), isOwn);
  if (!most) return null;
  const all = tests.filter((test) => isGreen(test) || isRed(test));
  const byFile = all.some((test) => isRed(test) && isWholeFile(test));
  const count = (some: readonly TestCase[]) => (byFile ? filesOf(some) : some.length);
  const total = count(all);
  const unit = `${byFile ? "file" : "test"}${total === 1 ? "" : "s"}${byFile ? " of tests" : ""}`;
  const rest = others.map(({ what, tests: some }) => `${what} in ${count(some)}`);
  const more = rest.length > 2 ? [...rest.slice(0, 2), `${rest.length - 2} more`] : rest;
  const what = [`${most.what} in ${count(most.tests)} of ${total} ${unit}`, ...more].join(", ");
  const remedies = [most, ...others].map(({ remedy }) => remedy).filter((remedy) => remedy !== "");
  return { what, remedy: [...new Set(remedies)].slice(0, 2).join("; ") };
}

/** Tests by what they lack, the most frequent first. */
function byThing(red: readonly TestCase[], isOwn?: IsOwn): (AbsentThing & { tests: TestCase[] })[] {
  const things = new Map<string, AbsentThing & { tests: TestCase[] }>();
  for (const test of red) {
    const absent = absentIn(test.message, isOwn);
    if (!absent) continue;
    const known = things.get(absent.what);
    if (known) known.tests.push(test);
    else things.set(absent.what, { ...absent, tests: [test] });
  }
  return [...things.values()].sort((one, other) => other.tests.length - one.tests.length);
}

function lastLine(text: string): string | null {
  const lines = text.split("\n").map((line) => line.replace(/^E\s+/, "").trim());
  return (
    lines.findLast((line) => /\b\w*(Error|Exception)\b|\berror: /.test(line)) ??
    lines.findLast((line) => line !== "") ??
    null
  );
}
