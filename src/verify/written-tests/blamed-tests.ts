import { bareName, isNamed } from "../../domain/evidence/match-test.ts";
import { isRed, type TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";

export interface BlamedTests {
  file: TestFile;
  /** Names as in `covers`. */
  tests: string[];
}

const MOST = 3;

/**
 * Which of a todo's given tests a debugger means: those that it names and that did not pass, or, where it names none, all
 * that did not, if they are few. Of one file only, the one with the most of them. Null: none of them is ours to write anew.
 */
export function blamedTests(named: string[], given: TestFile[], report: TestReport | null): BlamedTests | null {
  const wanted = named.map((id) => id.replace(/\[.*\]$/s, ""));
  const isMeant = (path: string, name: string) =>
    wanted.length === 0 || wanted.some((id) => (id.includes("::") ? id === `${path}::${name}` : id === bareName(name)));
  const found = given.map((file) => ({
    file,
    tests: [...new Set(file.covers.map(({ test }) => test))].filter(
      (name) => isMeant(file.path, name) && !hasPassed(report, file.path, name),
    ),
  }));
  const [most] = found.filter(({ tests }) => tests.length > 0).sort((a, b) => b.tests.length - a.tests.length);
  if (!most || (wanted.length === 0 && most.tests.length > MOST)) return null;
  return { ...most, tests: most.tests.slice(0, MOST) };
}

function hasPassed(report: TestReport | null, path: string, name: string): boolean {
  const cases = report?.tests.filter((test) => isNamed(test, path, name)) ?? [];
  return cases.some(({ outcome }) => outcome === "passed") && !cases.some(isRed);
}
