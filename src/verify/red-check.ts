import { z } from "zod";
import type { TestFile } from "../domain/test-file.ts";
import { isRed, type TestReport } from "../domain/test-report.ts";
import { isNamed } from "./match-test.ts";

/** What running new tests on the tree before the change says about them. */
export const RedCheck = z.object({
  /** Tests that pass already: guards, which support no requirement. Written `file::test`. */
  guards: z.array(z.string()),
  /** Why these tests cannot be used as they are; empty when they can. */
  problems: z.array(z.string()),
});
export type RedCheck = z.infer<typeof RedCheck>;

/**
 * A new test must be red before the change, and red because what it tests is not there: not because the test itself
 * cannot be read.
 */
export function checkRed(files: TestFile[], report: TestReport): RedCheck {
  const guards: string[] = [];
  const problems: string[] = [];
  if (report.ending === "timeout" || report.ending === "resource-limit") {
    problems.push(`the tests hit the sandbox's limit (${report.ending}) before any code exists; make them shorter`);
  }
  for (const file of files) {
    const broken = report.tests.find(
      (test) => test.file === file.path && isRed(test) && isBrokenTest(test.message, file.path),
    );
    if (broken) {
      problems.push(`${file.path} cannot be read by the test runner: ${lastLines(broken.message)}`);
      continue;
    }
    for (const { test: name } of file.covers) {
      const found = report.tests.filter((test) => isNamed(test, file.path, name));
      if (found.length > 0 && found.every((test) => test.outcome === "passed")) guards.push(`${file.path}::${name}`);
      if (found.some((test) => test.outcome === "skipped" || test.outcome === "xfailed")) {
        problems.push(`${file.path}::${name} is skipped or expected to fail: a test must run and be able to fail`);
      }
      if (found.length === 0 && wasCollected(report, file.path)) {
        problems.push(`${file.path} has no test called ${name}`);
      }
    }
  }
  return { guards, problems };
}

/** A file whose import failed shows as one error that stands for the file; then its tests are not known yet. */
function wasCollected(report: TestReport, path: string): boolean {
  const own = report.tests.filter((test) => test.file === path);
  return own.some((test) => test.outcome !== "error");
}

/** A syntax error in the test file itself, as Python and Node report it. */
function isBrokenTest(message: string, path: string): boolean {
  return /\b(SyntaxError|IndentationError|TabError)\b/.test(message) && message.includes(path);
}

const lastLines = (text: string): string => text.trim().split("\n").slice(-4).join("\n");
