import { expect, test } from "vitest";
import { grammarOf, type SyntaxNode, SyntaxParsers } from "./parse.ts";

const parsers = new SyntaxParsers();

function find(node: SyntaxNode, type: string): SyntaxNode | undefined {
  if (node.type === type) return node;
  for (const child of node.children) {
    const found = find(child, type);
    if (found) return found;
  }
  return undefined;
}

test.each([
  ["python", "x = eval('1')\n", "call"],
  ["javascript", "const x = eval('1')\n", "call_expression"],
  ["typescript", "const x: number = eval('1')\n", "call_expression"],
  ["tsx", "const x = <a>{eval('1')}</a>\n", "call_expression"],
  ["go", 'package a\nfunc f() { eval("1") }\n', "call_expression"],
] as const)("reads %s into plain nodes with fields and places", async (grammar, text, type) => {
  const { root, broken } = await parsers.parse(grammar, text);
  expect(broken).toBe(false);
  const call = find(root, type);
  const callee = call?.children.find((child) => child.field === "function");
  expect(text.slice(callee?.from, callee?.to)).toBe("eval");
});

test("counts places in UTF-16 units, as strings do", async () => {
  const text = 'a = "🙂é"\nb = eval(a)\n';
  const { root } = await parsers.parse("python", text);
  const call = find(root, "call");
  expect(text.slice(call?.from, call?.to)).toBe("eval(a)");
  expect(call?.row).toBe(1);
});

test("broken, empty and deeply nested text is read as far as it goes", async () => {
  expect((await parsers.parse("python", "def (:\n")).broken).toBe(true);
  expect((await parsers.parse("python", "")).root.children).toEqual([]);
  expect((await parsers.parse("javascript", `${"[".repeat(20_000)}${"]".repeat(20_000)}`)).root.type).toBe("program");
});

test("a path tells its grammar", () => {
  expect(["a.py", "b/c.MJS", "d.tsx", "e.go", "f.txt", "Makefile"].map(grammarOf)).toEqual([
    "python",
    "javascript",
    "tsx",
    "go",
    null,
    null,
  ]);
});

test.each([
  ["python", "def f():\n\n    return 1\n\n\nx = '''a\nb'''\n"],
  ["go", "package a\n\nfunc f() {\n\tg()\n\n\th()\n}\n"],
  ["javascript", "\n\nfoo(`a\nb`)\r\n;bar"],
] as const)("each node knows its line: %s", async (grammar, text) => {
  const { root } = await new SyntaxParsers().parse(grammar, text);
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...node.children);
    expect({ type: node.type, row: node.row }).toEqual({
      type: node.type,
      row: text.slice(0, node.from).split("\n").length - 1,
    });
  }
});
