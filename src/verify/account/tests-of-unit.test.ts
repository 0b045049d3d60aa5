import { expect, test } from "vitest";
import { testsOfChange, testsOfUnit } from "./tests-of-unit.ts";

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

test("an import of the language's own concerns the tests that run what says its name, another one all of its file", () => {
  const lines = ran([
    [1, [""]],
    [7, [""]],
    [9, ["a::one"]],
    [20, ["a::two"]],
  ]);
  const at = (from: number) => [{ from, to: from }];
  const plain = { path: "shop.py", kind: "import", lines: at(1), uses: at(9), after: { from: 1, to: 1 } } as const;
  const concerned = (change: { standard?: boolean; loads?: boolean; uses?: { from: number; to: number }[] }) =>
    testsOfChange({ lines }, [{ ...plain, ...change }]);
  expect(concerned({ standard: true })).toEqual(["a::one"]);
  expect(concerned({})).toEqual(["a::one", "a::two"]);
  expect(concerned({ standard: true, loads: true })).toEqual(["a::one", "a::two"]);
  expect(concerned({ standard: true, uses: at(7) })).toEqual(["a::one", "a::two"]);
});
