import { expect, test } from "vitest";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { selectTests } from "./select-tests.ts";

const at = (line: number): Mutant => ({
  ...{ id: "1", path: "a.py", line, statement: { from: line, to: line }, operator: "constant" },
  ...{ from: 0, to: 1, replacement: "4", description: "" },
});
const LINES = new Map([
  [
    "a.py",
    new Map([
      [1, new Set([""])],
      [4, new Set(["calls"])],
    ]),
  ],
]);
const TESTS = ["looks at a value", "calls", "elsewhere"];

test("a line of a function concerns the tests that run it", () => {
  expect(selectTests(at(4), LINES, TESTS)).toEqual(["calls"]);
  expect(selectTests(at(9), LINES, TESTS)).toEqual([]);
});

test("what runs at the import concerns every test, first those that run more of the file", () => {
  expect(selectTests(at(1), LINES, TESTS)).toEqual(["calls", "looks at a value", "elsewhere"]);
});

test("of a file that nobody watched all tests are asked", () => {
  expect(selectTests(at(1), null, TESTS)).toEqual(TESTS);
  expect(selectTests(at(1), new Map([["a.py", new Map()]]), TESTS)).toEqual(TESTS);
});
