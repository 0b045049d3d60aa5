import { expect, test } from "vitest";
import { type Grammar, SyntaxParsers } from "../../syntax/parse.ts";
import { codeUnits } from "./code-units.ts";

const parsers = new SyntaxParsers();
const unitsOf = async (grammar: Grammar, text: string) =>
  codeUnits(grammar, (await parsers.parse(grammar, text)).root, text);
const meanings = async (grammar: Grammar, text: string) => (await unitsOf(grammar, text)).map(({ meaning }) => meaning);

test.each<[string, Grammar, string, string]>([
  [
    "comments and blank lines",
    "python",
    "def f(a):\n    return a + 1\n",
    "# x\ndef f(a):\n\n    # y\n    return a + 1\n",
  ],
  ["docstrings", "python", "def f():\n    return 1\n", 'def f():\n    """One."""\n    return 1\n'],
  [
    "annotations",
    "python",
    "def f(a, b=1):\n    c = a\n    return c\n",
    "def f(a: int, b: int = 1) -> int:\n    c: int = a\n    return c\n",
  ],
  ["parentheses, quotes and trailing commas", "python", "x = f('a', 1)\n", 'x = (f("a", 1,))\n'],
  [
    "types of TypeScript",
    "typescript",
    "export function f(a) { return a; }",
    "interface A {}\nexport function f(a: A): A { return a }",
  ],
])("%s change no meaning", async (_, grammar, before, after) => {
  expect(await meanings(grammar, after)).toEqual(await meanings(grammar, before));
});

test.each<[string, Grammar, string, string]>([
  ["a default", "python", "def f(a=1):\n    return a\n", "def f(a=2):\n    return a\n"],
  ["a decorator", "python", "def f(a):\n    return a\n", "@cache\ndef f(a):\n    return a\n"],
  ["letters between escapes", "python", 'x = "a\\nb\\n"\n', 'x = "a\\nc\\n"\n'],
  ["how lines are nested", "python", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"],
  ["blanks of a template", "javascript", "x = `\\t \\n`;", "x = `\\t\\n`;"],
  ["a letter of a string", "javascript", "x = 'a';", "x = 'b';"],
  ["an export", "javascript", "export const f = () => 1;", "const f = () => 1;"],
])("%s changes it", async (_, grammar, before, after) => {
  expect(await meanings(grammar, after)).not.toEqual(await meanings(grammar, before));
});

test("functions, methods and heads of classes are parts with a name", async () => {
  const text = "class A(B):\n    x = 1\n\n    def f(self):\n        return 1\n\n\ndef g():\n    pass\n";
  expect((await unitsOf("python", text)).map(({ name, from, to }) => [name, from, to])).toEqual([
    ["class A", 1, 1],
    ["A.x = 1", 2, 2],
    ["A.f", 4, 5],
    ["g", 8, 9],
  ]);
});
