import type { TestCase } from "../../domain/evidence/test-report.ts";

/** How assertions fail, in the order: Python and Node, pytest, Go, Jest. */
const FAILED = [
  /\bAssertionError\b|ERR_ASSERTION/,
  /^E\s+(assert\b|Failed:)/m,
  /^\s*\w+_test\.go:\d+: /m,
  /^(\w*Error: )?expect\(/m,
];

/** A test is red because what it expects is not so, and not because something under it broke. */
export const failedExpectation = (test: TestCase): boolean =>
  test.outcome === "failed" && (FAILED.some((form) => form.test(test.message)) || isThrownByTest(test));

/** What the language and the system throw by themselves is no claim of anybody. */
const BY_ITSELF = /^(Uncaught )?((Type|Reference|Range|Syntax|URI|Eval)Error\b|\w*Error: (\w+ )?E[A-Z]{2,}\b)/;

/** Of a script: an error that the test made, or a library that it called with no code of the project between them. */
function isThrownByTest({ file, message }: TestCase): boolean {
  if (BY_ITSELF.test(message)) return false;
  const frames = [...message.matchAll(/^\s+at .*?\(?(?:file:\/\/)?(\/[^\s()]+?):\d+:\d+\)?$/gm)].map(
    ([, path = ""]) => path,
  );
  const first = frames.find((path) => !path.includes("/node_modules/"));
  return first?.endsWith(`/${file}`) ?? false;
}
