import { expect, test } from "vitest";
import { testsOfUnit } from "./tests-of-unit.ts";

const TESTS = new Set(["a::one", "a::two"]);
const field = { path: "shop.py", kind: "statement", after: { from: 7, to: 7 } } as const;
const ran = (lines: [number, string[]][]) =>
  new Map([["shop.py", new Map(lines.map(([line, by]) => [line, new Set(by)]))]]);

test("what runs at the import may be needed by any test, a function by those that run it", () => {
  const lines = ran([
    [7, [""]],
    [9, ["", "a::one"]],
  ]);
  expect([...testsOfUnit(field, lines, TESTS)]).toEqual(["a::one", "a::two"]);
  expect([...testsOfUnit({ ...field, kind: "function" }, lines, TESTS)]).toEqual([]);
  expect([...testsOfUnit({ ...field, kind: "function", after: { from: 9, to: 9 } }, lines, TESTS)]).toEqual(["a::one"]);
});
