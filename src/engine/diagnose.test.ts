import { expect, test } from "vitest";
import { shrunkenExamples } from "./diagnose.ts";

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
