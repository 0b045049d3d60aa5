import { expect, test } from "vitest";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { mutate } from "../mutants/make-mutants.ts";
import { droppedCalls } from "./dropped-calls.ts";

const parsers = new SyntaxParsers();
const ALL = [{ from: 1, to: 1_000 }];

test.each([
  ["a.py", "def f(text):\n    return text.strip().lower()\n", ["text.strip()", "text.lower()"]],
  ["a.js", "const f = (s) => s.trim().replace(/a/g, '');\n", ["s.trim()", "s.replace(/a/g, '')"]],
])("each step of a chain in %s is left out once", async (path, content, left) => {
  const mutants = await droppedCalls({ path, content }, ALL, parsers);
  const lines = mutants.map((mutant) => mutate(content, mutant));
  expect(lines.map((text) => left.find((one) => text.includes(one)))).toEqual([left[1], left[0]]);
  expect(mutants.map(({ operator }) => operator)).toEqual(["call-removal", "call-removal"]);
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(2);
});

test("a function that is called by its module keeps its call, and other lines are left alone", async () => {
  const content = "def f(x):\n    y = math.floor(x)\n    return str(y)\n\n\ndef g(x):\n    return x.copy()\n";
  expect(await droppedCalls({ path: "a.py", content }, [{ from: 1, to: 4 }], parsers)).toEqual([]);
  expect(await droppedCalls({ path: "a.py", content }, ALL, parsers)).toMatchObject([
    { line: 7, statement: { from: 7, to: 7 }, description: "`x.copy()` → `x`" },
  ]);
});
