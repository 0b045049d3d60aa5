import { expect, test } from "vitest";
import { testsOfUnit } from "./tests-of-unit.ts";

const TESTS = new Set(["a::one", "a::two"]);
const field = { path: "shop.py", kind: "statement", after: { from: 7, to: 7 } } as const;
const ran = (lines: [number, string[]][]) =>
  new Map([["shop.py", new Map(lines.map(([line, by]) => [line, new Set(by)]))]]);

test("what runs at the import runs for the tests that run anything of the file", () => {
  const lines = ran([
    [7, [""]],
    [9, ["", "a::one"]],
  ]);
  expect([...testsOfUnit(field, lines, TESTS)]).toEqual(["a::one"]);
  expect([...testsOfUnit({ ...field, kind: "function" }, lines, TESTS)]).toEqual([]);
});

test("of a file of which nothing runs but at its import any test may need a part", () => {
  expect([...testsOfUnit(field, ran([[7, [""]]]), TESTS)]).toEqual(["a::one", "a::two"]);
});
