import type { Grammar } from "../syntax/parse.ts";
import { GO_TESTS } from "./go/test-syntax.ts";
import { JAVASCRIPT_TESTS } from "./javascript/test-syntax.ts";
import { PYTHON_TESTS } from "./python/test-syntax.ts";
import type { TestSyntax } from "./test-syntax.ts";

/** One line for each grammar. */
export const TEST_SYNTAX: Record<Grammar, TestSyntax> = {
  python: PYTHON_TESTS,
  javascript: JAVASCRIPT_TESTS,
  typescript: JAVASCRIPT_TESTS,
  tsx: JAVASCRIPT_TESTS,
  go: GO_TESTS,
};
