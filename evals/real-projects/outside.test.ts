import { expect, test } from "vitest";
import { countsIn } from "./outside.ts";

test.each([
  ["Vitest", " Test Files  2 passed (2)\n      Tests  1 failed | 12 passed | 3 skipped (16)\n", [12, 1, 3]],
  ["Jest", "Test Suites: 1 passed, 1 total\nTests:       1 failed, 1 skipped, 12 passed, 14 total\n", [12, 1, 1]],
  ["pytest", "....\n1 failed, 12 passed, 2 skipped, 1 warning in 0.50s\n", [12, 1, 2]],
  ["pytest with surprises", "12 passed, 2 skipped, 1 xfailed, 1 xpassed in 0.50s\n", [13, 0, 3]],
  ["pytest with errors", "12 passed, 1 skipped, 3 errors in 10.50s\n", [12, 3, 1]],
  ["node:test", "ℹ tests 4\nℹ pass 3\nℹ fail 1\nℹ skipped 0\nℹ todo 0\n", [3, 1, 0]],
  ["Mocha", "\n  12 passing (20ms)\n  1 pending\n  2 failing\n", [12, 2, 1]],
  ["AVA", "  \u001b[32m9 tests passed\u001b[39m\n", [9, 0, 0]],
  ["Go", "--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- FAIL: TestC (0.00s)\n", [2, 1, 0]],
])("the last words of %s are read", (_runner, text, [passed, red, skipped]) => {
  expect(countsIn(text)).toEqual({ passed, red, skipped });
});

test("words of nobody are no count", () => {
  expect(countsIn("all is well: 12 things\n")).toBeNull();
});
