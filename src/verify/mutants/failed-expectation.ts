import type { TestCase } from "../../domain/evidence/test-report.ts";

/** How assertions fail, in the order: Python and Node, pytest, Go, Jest. */
const FAILED = [
  /\bAssertionError\b|ERR_ASSERTION/,
  /^E\s+(assert\b|Failed:)/m,
  /^\s*\w+_test\.go:\d+: /m,
  /^(\w*Error: )?expect\(/m,
];

/** A test is red because what it expects is not so, and not because something under it broke. */
export const failedExpectation = ({ outcome, message }: TestCase): boolean =>
  outcome === "failed" && FAILED.some((form) => form.test(message));
