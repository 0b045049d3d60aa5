import type { TestCase } from "../../domain/evidence/test-report.ts";
import type { AssertedLine } from "./asserted-line.ts";

/** How assertions fail, in the order: Python and Node, pytest, Go, Jest. */
const FAILED = [
  /\bAssertionError\b|ERR_ASSERTION/,
  /^E\s+(assert\b|Failed:)/m,
  /^\s*\w+_test\.go:\d+: /m,
  /^(\w*Error: )?expect\(/m,
];

/**
 * A test is red because what it expects is not so, and not because something under it broke. An exception in the middle of an
 * assertion counts where no code of the project raised it: the assertion cannot hold of what the code gave (`tree.left.value`).
 */
export async function failedExpectation(test: TestCase, isAsserted: AssertedLine): Promise<boolean> {
  if (test.outcome !== "failed") return false;
  if (FAILED.some((form) => form.test(test.message))) return true;
  const thrown = thrownByTest(test);
  if (!thrown) return false;
  return BY_ITSELF.test(test.message) ? isAsserted(test.file, thrown.line) : true;
}

/** What the language and the system throw by themselves is no claim of anybody. */
const BY_ITSELF = /^(Uncaught )?((Type|Reference|Range|Syntax|URI|Eval)Error\b|\w*Error: (\w+ )?E[A-Z]{2,}\b)/;

/** Of a script: where the test made an error, or a library that it called with no code of the project between them. */
function thrownByTest({ file, message }: TestCase): { line: number } | null {
  const frames = [...message.matchAll(/^\s+at (?:.*?\()?(?:async )?(?:file:\/\/)?([^\s():]+):(\d+):\d+\)?$/gm)];
  const first = frames.find(([, path = ""]) => !path.includes("/node_modules/"));
  return `/${first?.[1] ?? ""}`.endsWith(`/${file}`) ? { line: Number(first?.[2]) } : null;
}
