import { expect, test } from "vitest";
import { boundsIn, isEdge } from "./edges.ts";

const f = { path: "a.py", name: "f", narrow: [] };

test.each([
  ["an empty list", "f([])", [], true],
  ["nothing, by its name", "f(7, sep=None)", [], true],
  ["a value that was compared with", "f(100)", ["100"], true],
  ["the same value, written otherwise", "f(100.0)", ["1_00"], true],
  ["a text in other quotes", "f('x')", ['"x"'], true],
  ["a value that nothing compared with", "f(101)", ["100"], false],
  ["a list that holds such a value", "f([100])", ["100"], false],
])("%s: %s", (_, call, bounds, is) => {
  expect(isEdge(call, f, bounds)).toBe(is);
});

test("where another argument had to have the value of the test it is no edge", () => {
  expect(isEdge("f(100, 'x')", { ...f, narrow: ["argument 1"] }, ["100"])).toBe(true);
  expect(isEdge("f(100, 'x')", { ...f, narrow: ["argument 1", "argument 2"] }, ["100"])).toBe(false);
  expect(isEdge("f(100, sep='x')", { ...f, narrow: ["argument 1", "argument sep"] }, ["100"])).toBe(false);
  expect(isEdge("f(100, sep='x')", { ...f, narrow: ["argument sep"] }, ["100", "'x'"])).toBe(true);
  expect(isEdge("A(2).f(100)", { ...f, name: "A.f", narrow: ["self.size"] }, ["100"])).toBe(false);
  expect(isEdge("A(2).f([])", { ...f, name: "A.f", narrow: ["self.size"] }, [])).toBe(true);
  expect(isEdge("A(2).f(100)", { ...f, name: "A.f", narrow: ["argument 2"] }, ["100"])).toBe(true);
});

test.each([
  ["def f(n):\n    if n > 100:\n        return 2\n", ["100"]],
  ["  return 100 <= n && n !== 'x';", ["100", "'x'"]],
  ["if n >= LIMIT or n == OTHER:", ["60.5"]],
  ["x = 5\ny = n << 3\nz = (n) => 7\nw -> 8", []],
])("the values that %j compares with", (unit, bounds) => {
  expect(boundsIn(unit, "LIMIT = 60.5\nOTHER = 1\nOTHER = 2\n")).toEqual(bounds);
});
