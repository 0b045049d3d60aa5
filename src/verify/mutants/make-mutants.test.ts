import { describe, expect, test } from "vitest";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import { SyntaxParsers } from "../../syntax/parse.ts";
import { makeMutants, mutate } from "./make-mutants.ts";
import { normalisedTree } from "./normalised-tree.ts";
import { inTurn } from "./spread.ts";

const parsers = new SyntaxParsers();

const mutantsOf = (path: string, content: string, from = 1, to = 1_000) =>
  makeMutants({ path, content }, [{ from, to }], parsers);

/** By place, then by what is put there. */
const inOrder = (mutants: Mutant[]) =>
  mutants
    .toSorted((a, b) => a.from - b.from || a.to - b.to || (a.replacement < b.replacement ? -1 : 1))
    .map(({ operator, description }) => `${operator}: ${description}`);

describe("Python", () => {
  test("every operator has its mutants", async () => {
    const content = `def price(items, member):
    if member and len(items) > 3:
        log(items)
    total = sum(items) - 1
    total += 2
    if not member: total = 0
    while total: total = step(total)
    return total if items else "none"
`;
    expect(inOrder(await mutantsOf("price.py", content))).toEqual([
      "condition: `member and len(items) > 3` → `len(items) > 3`",
      "condition: `member and len(items) > 3` → `not (member and len(items) > 3)`",
      "condition: `member and len(items) > 3` → `member or len(items) > 3`",
      "comparison: `len(items) > 3` → `len(items) <= 3`",
      "boundary: `len(items) > 3` → `len(items) >= 3`",
      "constant: `3` → `4`",
      "call-removal: `log(items)` → `pass`",
      "arithmetic: `sum(items) - 1` → `sum(items) + 1`",
      "constant: `1` → `2`",
      "arithmetic: `total += 2` → `total -= 2`",
      "constant: `2` → `3`",
      "condition: `not member` → `member`",
      "constant: `0` → `1`",
      "condition: `total` → `False`",
      "condition: `total = step(total)` → `raise RuntimeError`",
      'condition: `total if items else "none"` → `"none" if items else "none"`',
      'return: `return total if items else "none"` → `return None`',
      "condition: `items` → `not (items)`",
      'constant: `"none"` → `""`',
      'constant: `"none"` → `"oone"`',
    ]);
  });

  test("docstrings, comments, imports, annotations, caches and what exceptions say are left alone", async () => {
    const content = `"""Version 1 == 2."""
import os  # 3
from typing import TYPE_CHECKING
@cache(maxsize=1)
def f(a: Literal[1]) -> Literal[2]:
    "Returns 1 + 1."
    raise ValueError("a" "b")
if TYPE_CHECKING:
    LIMIT = 3
x: Literal["a"]
y = f"{x}"
`;
    expect(await mutantsOf("a.py", content)).toEqual([]);
  });

  test("comparisons in a row, `is` and `in` are turned round one by one", async () => {
    expect(inOrder(await mutantsOf("a.py", "x = a < b is not c\ny = d not in e\n"))).toEqual([
      "boundary: `a < b is not c` → `a <= b is not c`",
      "comparison: `a < b is not c` → `a >= b is not c`",
      "comparison: `a < b is not c` → `a < b is c`",
      "comparison: `d not in e` → `d in e`",
    ]);
  });
});

const HOLE = ["$", "{b}"].join("");

const shorts = async (path: string, content: string) =>
  inOrder(await mutantsOf(path, content)).map((one) => one.replace(/^\S+ /, ""));

test.each([
  ["signs", "x = -a\n", ["`-a` → `a`"]],
  ["bits", "x = ~a << b\n", ["`~a` → `a`", "`~a << b` → `~a >> b`"]],
  ["bounds of a slice", "x = a[b:c]\n", ["`b:c` → `:c`", "`b:c` → `b:`"]],
  ["defaults", "def f(a=None, b=X): pass\n", ["`a=None` → `a=0`", "`b=X` → `b=None`"]],
  ["named arguments", "x = f(a, key=b)\n", ["`(a, key=b)` → `(a)`"]],
  ["entries", "x = [a, b]\n", ["`[a, b]` → `[ b]`", "`[a, b]` → `[a]`"]],
  ["entries that hold something", "x = {k: 1}\n", ["`1` → `2`"]],
  ["ways out of a loop", "for a in b:\n    break\n", ["`break` → `continue`"]],
  ["a loop that would not end", "def f():\n    while g():\n        break\n", ["`g()` → `False`", "`break` → `return`"]],
  ["an early end", "def f():\n    return\n", ["`return` → `pass`"]],
  ["decorators", "@app.route(1)\ndef f(): pass\n", ["`@app.route(1)` → ``"]],
  ["both operands", "x = a or b\n", ["`a or b` → `a`", "`a or b` → `b`", "`a or b` → `a and b`"]],
  [
    "arms",
    "x = a if b else c\n",
    ["`a if b else c` → `c if b else c`", "`b` → `not (b)`", "`a if b else c` → `a if b else a`"],
  ],
  ["texts with values in them", 'x = f"a{b}"\n', ['`f"a{b}"` → `f"b{b}"`']],
  [
    "what is handed out",
    "def f():\n    yield a\nx = lambda: b\n",
    ["`yield a` → `yield None`", "`lambda: b` → `lambda: None`"],
  ],
  ["what is deleted", "del a[b]\n", ["`del a[b]` → `pass`"]],
  ["a statement in which nothing can be changed", "f(a),\n", ["`f(a),` → `pass`"]],
  ["a loop in which nothing can be changed", "for a in f(b):\n    pass\n", ["`for a in f(b):` → `pass`"]],
  ["what is chosen from", "x = (a, b)[c]\n", ["`(a, b)[c]` → `(None, b)[c]`", "`(a, b)[c]` → `(a, None)[c]`"]],
])("Python: %s", async (_, content, said) => {
  expect((await shorts("a.py", content)).toSorted()).toEqual(said.toSorted());
});

test.each([
  [
    "signs and kinds",
    "x = -a + typeof b;\n",
    ["`-a` → `a`", "`-a + typeof b` → `-a - typeof b`", '`typeof b` → `"mutant"`'],
  ],
  ["what may be missing", "x = a?.b ?? c;\n", ["`a?.b` → `a.b`", "`a?.b ?? c` → `a?.b && c`", "`a?.b ?? c` → `a?.b`"]],
  ["membership", "x = a in b;\n", ["`a in b` → `!(a in b)`"]],
  ["assignments with an operator", "a ||= b; c >>>= d;\n", ["`a ||= b` → `a &&= b`", "`c >>>= d` → `c >>= d`"]],
  ["entries", "x = { a, ...b };\n", ["`{ a, ...b }` → `{  ...b }`", "`{ a, ...b }` → `{ a }`"]],
  ["defaults", "f = ({ a = b }) => {};\n", ["`a = b` → `a = null`"]],
  ["cases that end", "switch (a) { case b: c(); break; }\n", ["`c()` → `void 0`", "`break;` → `;`"]],
  ["texts with values in them", `x = \`a${HOLE}\`;\n`, [`\`\`a${HOLE}\`\` → \`\`b${HOLE}\`\``]],
  ["what is deleted", "delete a.b;\n", ["`delete a.b` → `void 0`"]],
  ["a statement in which nothing can be changed", "new A(b);\n", ["`new A(b)` → `void 0`"]],
  ["a choice in which nothing can be changed", "switch (f(a)) {}\n", ["`switch (f(a)) {}` → `;`"]],
  [
    "patterns",
    "x = /^a+|[bc]$/;\n",
    [
      "`/^a+|[bc]$/` → `/a+|[bc]$/`",
      "`/^a+|[bc]$/` → `/^a*|[bc]$/`",
      "`/^a+|[bc]$/` → `/^a+/`",
      "`/^a+|[bc]$/` → `/^a+|[b]$/`",
      "`/^a+|[bc]$/` → `/^a+|[^bc]$/`",
      "`/^a+|[bc]$/` → `/^a+|[bc]/`",
    ],
  ],
])("JavaScript: %s", async (_, content, said) => {
  expect((await shorts("a.js", content)).toSorted()).toEqual(said.toSorted());
});

test("Go: signs, bounds, entries, jumps", async () => {
  const content =
    "package a\nconst (\n\tm = n * p\n)\nfunc f() {\n\tx := []T{a, b[c:d]}\n\tx &^= -y\n\tfor range x { break }\n}\n";
  expect(await shorts("a.go", content)).toEqual([
    "`n * p` → `n / p`",
    "`{a, b[c:d]}` → `{ b[c:d]}`",
    "`b[c:d]` → `b[:d]`",
    "`b[c:d]` → `b[c:]`",
    "`x &^= -y` → `x &= -y`",
    "`-y` → `y`",
    "`break` → `continue`",
  ]);
});

test("only the lines that are asked for are mutated", async () => {
  const content = "a = 1\nb = 2\nc = 3\n";
  expect((await mutantsOf("a.py", content, 2, 2)).map(({ line }) => line)).toEqual([2]);
  expect(await makeMutants({ path: "a.py", content }, [], parsers)).toEqual([]);
});

test("JavaScript and TypeScript: behaviour is mutated, types are not", async () => {
  const content = `import a from "b";
type Size = 1 | "x";
interface Box { size: 1 }
export const limit: 3 = 3 as 3;
function f(a: number = 1, b?: "x"): 3 {
  if (!a || b === "x") { save(a); return a - 1; }
  for (let i = 0; i < 3; i++) count++;
  throw new Error("no");
}
const g = (y) => y * 2;
await go();
"use strict";
`;
  expect(inOrder(await mutantsOf("a.ts", content))).toEqual([
    "constant: `3` → `4`",
    "constant: `1` → `2`",
    "condition: `!a` → `a`",
    'condition: `!a || b === "x"` → `!(!a || b === "x")`',
    'condition: `!a || b === "x"` → `!a && b === "x"`',
    'comparison: `b === "x"` → `b !== "x"`',
    'constant: `"x"` → `""`',
    'constant: `"x"` → `"y"`',
    "call-removal: `save(a)` → `void 0`",
    "return: `return a - 1;` → `return undefined;`",
    "arithmetic: `a - 1` → `a + 1`",
    "constant: `1` → `2`",
    "constant: `0` → `1`",
    "boundary: `i < 3` → `i <= 3`",
    "comparison: `i < 3` → `i >= 3`",
    "constant: `3` → `4`",
    "arithmetic: `i++` → `i += 2`",
    "arithmetic: `count++` → `count--`",
    "return: `(y) => y * 2` → `(y) => undefined`",
    "arithmetic: `y * 2` → `y / 2`",
    "constant: `2` → `3`",
    "call-removal: `await go()` → `void 0`",
  ]);
});

test("what cannot be read by itself is read with what stands around it", async () => {
  const found = await mutantsOf("a.js", "class A {\n  size = 1;\n  get b() { return this.c; }\n}\n");
  expect(inOrder(found)).toEqual(["constant: `1` → `2`", "return: `return this.c;` → `return undefined;`"]);
  const nested = "def f():\n    if a:\n        if b:\n            return 1\n        elif c:\n            g()\n";
  expect((await mutantsOf("a.py", nested)).length).toBe(6);
});

test("JSX keeps its attributes", async () => {
  const found = await mutantsOf("a.tsx", 'const x = <a href="b">{n + 1}</a>;\n');
  expect(inOrder(found)).toEqual(["arithmetic: `n + 1` → `n - 1`", "constant: `1` → `2`"]);
});

test("TypeScript: types are left alone, and what is written between them is not", async () => {
  const content = `interface Box<T = 1> { size: 2; get(n: 3): 4 }
type Kind = "a" | 5;
abstract class A { abstract f(n: 6): 7 }
declare const d: 8;
function g(x: unknown): x is 9 { return (x as 10) > 11; }
const y = <const T extends 12>(v: T) => v satisfies 13;
`;
  expect(inOrder(await mutantsOf("a.ts", content))).toEqual([
    "return: `return (x as 10) > 11;` → `return undefined;`",
    "comparison: `(x as 10) > 11` → `(x as 10) <= 11`",
    "boundary: `(x as 10) > 11` → `(x as 10) >= 11`",
    "constant: `11` → `12`",
    "return: `<const T extends 12>(v: T) => v satisfies 13` → `<const T extends 12>(v: T) => undefined`",
  ]);
});

test("Go: results become the zero of their type", async () => {
  const content = `package a
import "fmt"
func f(a int, b string) (int, string, error) {
	if a == 1 && b != "x" { fmt.Println(a) }
	for i := 0; i < 3; i++ { a += 1 }
	a++
	log.Printf("at %d", a)
	return a, b, fmt.Errorf("no %d", a)
}
`;
  expect(inOrder(await mutantsOf("a.go", content))).toEqual([
    'condition: `a == 1 && b != "x"` → `!(a == 1 && b != "x")`',
    "comparison: `a == 1` → `a != 1`",
    "constant: `1` → `2`",
    'condition: `a == 1 && b != "x"` → `a == 1 || b != "x"`',
    'comparison: `b != "x"` → `b == "x"`',
    'constant: `"x"` → `""`',
    'constant: `"x"` → `"y"`',
    "call-removal: `fmt.Println(a)` → `{}`",
    "constant: `0` → `1`",
    "condition: `i < 3` → `false`",
    "boundary: `i < 3` → `i <= 3`",
    "comparison: `i < 3` → `i >= 3`",
    "constant: `3` → `4`",
    "arithmetic: `i++` → `i += 2`",
    "arithmetic: `a += 1` → `a -= 1`",
    "constant: `1` → `2`",
    "arithmetic: `a++` → `a--`",
    'return: `return a, b, fmt.Errorf("no %d", a)` → `return 0, b, fmt.Errorf("no %d", a)`',
    'return: `return a, b, fmt.Errorf("no %d", a)` → `return a, "", fmt.Errorf("no %d", a)`',
    'return: `return a, b, fmt.Errorf("no %d", a)` → `return a, b, nil`',
  ]);
});

test("a log line is left alone where its arguments only look at values", async () => {
  const python = (line: string) => mutantsOf("a.py", `def f(a):\n    ${line}\n`);
  expect(await python('logger.info("%d of %s", len(a), ", ".join(a))')).toEqual([]);
  expect(await python('logger.info("next %s", a.pop())')).not.toEqual([]);
  const script = (line: string) => mutantsOf("a.js", `function f(a) {\n  ${line}\n}\n`);
  expect(await script("logger.info(`at ${JSON.stringify(a)}`);")).toEqual([]);
  expect(await script("logger.info(`next ${a.pop()}`);")).not.toEqual([]);
});

test("texts that only people read have no mutants: help, logs, what stands beside the output", async () => {
  const python = `parser.add_argument("--size", help="how large" + " it is", metavar="N", default="7")
print("no such file", file=sys.stderr)
print("done")
logger.warning("odd " + name())
`;
  expect(inOrder(await mutantsOf("a.py", python)).filter((one) => one.startsWith("constant"))).toEqual([
    'constant: `"--size"` → `""`',
    'constant: `"--size"` → `"--tize"`',
    'constant: `"7"` → `""`',
    'constant: `"7"` → `"8"`',
    'constant: `"done"` → `""`',
    'constant: `"done"` → `"eone"`',
  ]);
  const script = 'console.error("usage: " + name());\nprocess.stdout.write("done");\n';
  expect(inOrder(await mutantsOf("a.js", script)).filter((one) => one.startsWith("constant"))).toEqual([
    'constant: `"done"` → `""`',
    'constant: `"done"` → `"eone"`',
  ]);
});

test("a mutant knows from where its statement begins", async () => {
  const found = await mutantsOf(
    "a.py",
    "def f(a):\n    if a:\n        return [\n            a,\n            1,\n        ]\n",
    5,
    5,
  );
  expect(found.map(({ line, statement }) => ({ line, statement }))).toEqual([
    { line: 5, statement: { from: 3, to: 5 } },
  ]);
});

test("other languages and broken texts have no mutants", async () => {
  for (const path of ["a.txt", "a.pyi"]) expect(await mutantsOf(path, "x = 1\n")).toEqual([]);
  expect(await mutantsOf("a.py", "def (:\n    x = 1\n")).toEqual([]);
  expect(await mutantsOf("a.py", "x = 1\n# end\ry = 2\n")).toEqual([]);
});

test("a mutant that could not be read is not made", async () => {
  expect(inOrder(await mutantsOf("a.js", "x = a+-b;\n"))).toEqual(["arithmetic: `-b` → `b`"]);
  expect(inOrder(await mutantsOf("a.js", "x = a + -b;\n"))).toEqual([
    "arithmetic: `a + -b` → `a - -b`",
    "arithmetic: `-b` → `b`",
  ]);
});

test("what Node could not read, or reads as another mutant, is none", async () => {
  // `a ?? b && c` is an error.
  expect(await shorts("a.js", "x = a ?? b ?? c;\n")).toEqual([
    "`a ?? b` → `a`",
    "`a ?? b` → `b`",
    "`a ?? b ?? c` → `a ?? b`",
  ]);
  // A number that is written otherwise is the same number.
  expect((await mutantsOf("a.ts", "const x: Size = 0xff as Size;\n")).length).toBe(1);
});

test("two ways to the same text, or to the same meaning, are one mutant", async () => {
  const found = await mutantsOf("a.js", "if (x) y = !!z;\n");
  expect(inOrder(found)).toEqual(["condition: `x` → `!(x)`", "condition: `!!z` → `!z`"]);
});

test("parentheses, comments and digits have no meaning of their own; strings, kinds of number and nesting do", async () => {
  const meaning = async (text: string) => normalisedTree((await parsers.parse("python", text)).root, text);
  expect(await meaning("x = ((1_000))  # big\n")).toBe(await meaning("x = 0x3e8\n"));
  const other = ["x = 1000.0", 'x = "1000"', "x = (1000,)", "x = -1000"];
  for (const text of other) expect(await meaning(`${text}\n`)).not.toBe(await meaning("x = 1000\n"));
  expect(await meaning('x = "01"\n')).not.toBe(await meaning('x = "1"\n'));
  expect(await meaning("x = (a + b) * c\n")).not.toBe(await meaning("x = a + b * c\n"));
  expect(await meaning("x = (a + b) + c\n")).toBe(await meaning("x = a + b + c\n"));
});

test("every beginning of the order is a fair sample of lines and operators", async () => {
  const body = Array.from({ length: 64 }, (_, index) => `    if a + ${index} < b: save(${index})\n`).join("");
  const found = await mutantsOf("a.py", `def f(a, b):\n${body}`);
  const first = found.slice(0, 16);
  expect(new Set(first.map(({ line }) => line)).size).toBe(16);
  expect(Math.max(...first.map(({ line }) => line)) - Math.min(...first.map(({ line }) => line))).toBeGreaterThan(48);
  const operators = Map.groupBy(first, ({ operator }) => operator);
  expect([...operators.values()].map((group) => group.length).every((count) => count >= 3)).toBe(true);
  expect(found).toEqual(await mutantsOf("a.py", `def f(a, b):\n${body}`));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
});

test("several files take turns by their share, each in its own order", async () => {
  const large = await mutantsOf("large.py", Array.from({ length: 6 }, (_, index) => `a${index} = ${index}\n`).join(""));
  const small = await mutantsOf("small.py", "a = 1\nb = 2\n");
  const together = inTurn([...large, ...small]);
  expect(together.slice(0, 4).filter(({ path }) => path === "small.py").length).toBe(1);
  expect(together.filter(({ path }) => path === "large.py")).toEqual(large);
  expect(together.filter(({ path }) => path === "small.py")).toEqual(small);
});

test("a mutant is put into the text at its place, whatever stands before it", async () => {
  const content = 'a = "🙂é"; b = 1\n';
  const constant = (await mutantsOf("a.py", content)).find(({ description }) => description === "`1` → `2`");
  expect(constant && mutate(content, constant)).toBe('a = "🙂é"; b = 2\n');
});

test("what stands on the line of its head, and an error that is swallowed, must be missed", async () => {
  const made = async (path: string, content: string) =>
    (await mutantsOf(path, content))
      .toSorted((a, b) => a.from - b.from)
      .flatMap(({ replacement, line }) => (/raise|throw/.test(replacement) ? `${line} ${replacement}` : []));
  const python =
    "def f(a):\n    if a: return None\n    if a:\n        return None\n    try:\n        g(a)\n    except OSError:\n        pass\n" +
    "    except ValueError: a.b = None\n    if a: return 5\n";
  expect(await made("a.py", python)).toEqual(["2 raise RuntimeError", "8 raise", "9 raise RuntimeError"]);
  const script =
    "function f(a) {\n  if (a) return null;\n  if (a)\n    return null;\n  else return null;\n  try {\n    g(a);\n  } catch {}\n" +
    "  switch (a) {\n    case b: return null;\n  }\n  if (a) return 5;\n}\n";
  const throws = "{ throw new Error(); }";
  expect(await made("a.js", script)).toEqual([2, 5, 8, 10].map((line) => `${line} ${throws}`));
});

test("what is taken out of an object may be another field of it", async () => {
  const content = "function f({ a, b: c }, d) {\n  const { e } = d;\n  go(a, c, e);\n}\n";
  const all = await makeMutants({ path: "a.js", content }, [{ from: 1, to: 2 }], parsers, { values: true });
  const made = all.filter(({ replacement }) => replacement.includes("other_"));
  expect(made.map((mutant) => mutate(content, mutant).split("\n").slice(0, 2).join("")).toSorted()).toEqual([
    "function f({ a, b: c }, d) {  const { other_: e } = d;",
    "function f({ a, other_: c }, d) {  const { e } = d;",
    "function f({ other_: a, b: c }, d) {  const { e } = d;",
  ]);
});

test.each([
  [
    "a.js",
    "export function f(a, [b], c = 1) {\n  return a;\n}\n",
    "{ const given_ = [a, c]; try { return a; } finally {",
  ],
  ["a.ts", "const f = (a: number[]) => a.length;\n", "{ const given_ = [a]; try { return (a.length); } finally {"],
  [
    "a.py",
    "class A:\n    def f(self, a, b=1):\n        return a\n",
    "given_ = (a, b,) try: return a finally: [one.clear()",
  ],
])("a function of %s can empty what it was given when it is done", async (path, content, said) => {
  const [mutant, ...more] = await makeMutants({ path, content }, [{ from: 1, to: 9 }], parsers, { inputs: true });
  expect(more).toEqual([]);
  expect(mutant && mutate(content, mutant).replace(/\s+/g, " ")).toContain(said);
  expect(mutant).toMatchObject({
    operator: "input",
    description: expect.stringContaining("it empties what it was given"),
  });
});

test("a text over several lines is not set in, and what was given under no name is not emptied", async () => {
  const of = (path: string, content: string) =>
    makeMutants({ path, content }, [{ from: 1, to: 9 }], parsers, { inputs: true });
  expect(await of("a.py", 'def f(a):\n    b = """x\n  y"""\n    return a + b\n')).toEqual([]);
  expect(await of("a.js", "function f({ a }) {\n  return a;\n}\n")).toEqual([]);
});

test.each([
  ["a.py", "def f(a):\n    return False\n"],
  ["a.js", "const f = (a) => false;\n"],
  ["b.js", "function f(a) {\n  return true;\n}\n"],
])("of what is only true or false, in %s, nothing but its opposite is made", async (path, content) => {
  const made = await mutantsOf(path, content);
  expect(made.map(({ operator }) => operator)).toEqual(["constant"]);
});

test("a mapping that is empty at first becomes no other one, and one that is given back does", async () => {
  const values = async (path: string, content: string) => {
    const made = await makeMutants({ path, content }, [{ from: 1, to: 9 }], parsers, { values: true });
    return made.filter(({ operator }) => operator === "value").map(({ line }) => line);
  };
  expect(await values("a.py", "def f(a):\n    b = {}\n    c = g(a)\n    d = []\n    return {}\n")).toEqual([3, 4, 5]);
  expect(await values("a.py", "def f(a):\n    b = Counter()\n    c = defaultdict(list)\n    d = set(a)\n")).toEqual([
    4,
  ]);
  expect(
    await values("a.ts", "const a = new Map<string, number>();\nconst b = new Set();\nconst c = new Map(x);\n"),
  ).toEqual([3]);
  expect(await values("a.js", "function f(a) {\n  const b = {};\n  const c = g(a);\n  return {};\n}\n")).toEqual([
    3, 4,
  ]);
});

test("what is empty at first is asked in a function that has nothing else to be asked", async () => {
  const made = async (path: string, content: string) =>
    inOrder(await makeMutants({ path, content }, [{ from: 1, to: 9 }], parsers, { values: true }));
  expect(await made("a.py", "class A:\n    def __init__(self):\n        self.a = None\n        self.b = {}\n")).toEqual(
    ["value: `self.a = None` → `self.a = 1`", "value: `self.b = {}` → `self.b = None`"],
  );
  expect(await made("a.js", "class A {\n  clear() {\n    this.a = null;\n    this.b = new Map();\n  }\n}\n")).toEqual([
    "value: `this.a = null` → `this.a = 1`",
    "value: `this.b = new Map()` → `this.b = undefined`",
  ]);
  const beside = await made("a.py", "def f(a):\n    b = None\n    return g(a)\n");
  expect(beside.filter((one) => one.includes("b = "))).toEqual([]);
});

test("what a looser test takes for the same is made of what is given back and raised", async () => {
  const alike = async (path: string, content: string) => {
    const made = await makeMutants({ path, content }, [{ from: 1, to: 9 }], parsers, { alikes: true });
    return inOrder(made);
  };
  expect(await alike("a.py", "def f(a):\n    if a:\n        raise KeyError(a)\n    return g(a)\n")).toEqual([
    "alike: `raise KeyError(a)` → `raise an error of a wider kind`",
    "alike: `return g(a)` → `return nearly the same`",
    "alike: `return g(a)` → `return a copy of it`",
  ]);
  expect(await alike("a.js", "function f(a) {\n  if (!a) throw new TypeError(a);\n  return g(a);\n}\n")).toEqual([
    "alike: `throw new TypeError(a);` → `throw an error of a wider kind;`",
    "alike: `return g(a);` → `return its numbers as texts;`",
    "alike: `return g(a);` → `return a copy of it;`",
    "alike: `return g(a);` → `return nearly the same;`",
  ]);
  expect(await alike("a.py", "def f():\n    return 3\n")).toEqual([]);
});
