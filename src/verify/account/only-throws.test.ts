import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { onlyThrew } from "./only-throws.ts";

const unit = (path: string, from: number, to: number, change: Partial<UnitChange> = {}): UnitChange => ({
  ...{ path, oldPath: path, name: "f", kind: "function", relation: "changed", before: { from, to } },
  ...{ after: { from, to }, lines: [], oldLines: [], uses: [], oldUses: [], binds: [], span: null, acts: false },
  ...change,
});

const SCRIPT = `export class Full extends Error {
  constructor() {
    super()
    throw new Error("write me")
  }
  read() {
    if (this.x) throw new Error("full");
  }
  size() {
    if (this.x) return 1;
    throw new Error("none");
  }
}
`;

test("a function that could only throw is a placeholder; one that might end otherwise is none", async () => {
  const units = [unit("a.ts", 2, 5), unit("a.ts", 6, 8), unit("a.ts", 9, 12), unit("a.ts", 2, 4)];
  const isPlaceholder = await onlyThrew(units, () => SCRIPT, new SyntaxParsers());
  expect(units.map(isPlaceholder)).toEqual([true, false, false, false]);
});

test("an empty type of Go is a placeholder, one with fields is none", async () => {
  const text = "package a\n\ntype Game struct{}\n\ntype Word struct {\n\tsaid string\n}\n";
  const units = [unit("a.go", 3, 3, { kind: "statement" }), unit("a.go", 5, 7, { kind: "statement" })];
  const isPlaceholder = await onlyThrew(units, () => text, new SyntaxParsers());
  expect(units.map(isPlaceholder)).toEqual([true, false]);
});

test.each([
  ["a.py", 'def f(x):\n    """Says more."""\n    raise NotImplementedError\n', true],
  ["a.py", "def f(x):\n    yield 1\n    raise StopIteration\n", false],
  ["a.go", 'package a\n\nfunc F() int {\n\tpanic("write me")\n}\n', true],
])("%s: %j", async (path, text, expected) => {
  const from = text.split("\n").findIndex((line) => /^(def|func)/.test(line)) + 1;
  const one = unit(path, from, from + 2);
  expect((await onlyThrew([one], () => text, new SyntaxParsers()))(one)).toBe(expected);
});
