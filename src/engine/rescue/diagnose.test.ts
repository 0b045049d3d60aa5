import { expect, test } from "vitest";
import { shrunkenExamples, unsaid } from "./diagnose.ts";

test("the smallest failing input is found in the words of hypothesis and of fast-check", () => {
  const hypothesis =
    "E   AssertionError: assert 3 == 4\nE   Falsifying example: test_adds(\nE       a=1,\nE       b=(2, 3),\nE   )\nE   more";
  expect(shrunkenExamples(hypothesis)).toEqual(["test_adds( a=1, b=(2, 3), )"]);
  expect(shrunkenExamples("Falsifying example: test_it(n=0)\nnext line")).toEqual(["test_it(n=0)"]);
  expect(shrunkenExamples('Property failed after 3 tests\nCounterexample: ["",0]\nShrunk 2 time(s)')).toEqual([
    '["",0]',
  ]);
  expect(shrunkenExamples("AssertionError: 1 != 2")).toEqual([]);
});

test("of the log only what the red tests do not say is shown", () => {
  const red = "test_a.py::test_adds\ndef test_adds():\n>       assert add(1, 2) == 3\nE       assert -1 == 3";
  const log =
    ".F\n    def test_adds():\n>       assert add(1, 2) == 3\nE       assert -1 == 3\n\n\n--- Captured stdout ---\nminus\n1 failed";
  expect(unsaid(log, red)).toBe(".F\n--- Captured stdout ---\nminus\n1 failed");
});
