import { fieldOf as childOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { namedChildren } from "../syntax-text.ts";
import type { TestNode } from "../test-syntax.ts";

const GROUP = /^(describe|suite|context|fdescribe|xdescribe)$/;
const TEST = /^(test|it|specify|fit|xit|xtest)$/;

/** As node:test, Vitest, Jest and Mocha know them: calls of `test` and `it`, within groups. */
export function scriptTests(text: string, root: SyntaxNode): TestNode[] {
  const found: TestNode[] = [];
  const walk = (node: SyntaxNode, prefix: string): void => {
    const called = node.type === "call_expression" ? calledAs(text, node) : null;
    const name = called === null ? null : titleOf(text, node);
    if (called === null || name === null) {
      for (const child of node.children) walk(child, prefix);
      return;
    }
    const body = callbackBody(node);
    if (called === "test") found.push({ name: prefix + name, node, body });
    if (body) walk(body, `${prefix}${name} > `);
  };
  walk(root, "");
  return found;
}

function calledAs(text: string, call: SyntaxNode): "test" | "group" | null {
  const names: string[] = [];
  for (let node: SyntaxNode | undefined = childOf(call, "function"); node; ) {
    const property = childOf(node, "property");
    if (property) names.unshift(textOf(text, property));
    const next: SyntaxNode | undefined = childOf(node, "object") ?? childOf(node, "function");
    if (!next) names.unshift(textOf(text, node));
    node = next;
  }
  const [root = "", ...rest] = names;
  if (GROUP.test(root) || rest.at(-1) === "describe") return "group";
  if (TEST.test(root)) return rest.includes("describe") ? "group" : isHook(rest) ? null : "test";
  // A test within a test: `t.test("…", …)`.
  return rest.length === 1 && rest[0] === "test" && /^[a-z]\w{0,7}$/.test(root) ? "test" : null;
}

const isHook = (rest: string[]): boolean => /^(before|after|mock|setup|extend|use)/.test(rest[0] ?? "");

function titleOf(text: string, call: SyntaxNode): string | null {
  const [title] = namedChildren(childOf(call, "arguments") ?? call);
  if (!title || !/^(string|template_string)$/.test(title.type)) return null;
  return textOf(text, title)
    .slice(1, -1)
    .replace(/\\(["'`\\])/g, "$1");
}

function callbackBody(call: SyntaxNode): SyntaxNode | null {
  const list = childOf(call, "arguments");
  const callback =
    list && namedChildren(list).findLast(({ type }) => /^(arrow_function|function_expression)$/.test(type));
  return (callback && childOf(callback, "body")) ?? null;
}

/** `import { equal } from "node:assert"`, `const { expect } = require("chai")`. */
export function assertionImports(text: string, root: SyntaxNode): Set<string> {
  const names = new Set<string>();
  for (const node of root.children) {
    const line = textOf(text, node);
    if (
      !/^(import|const|let|var)\b/.test(line) ||
      !/["'](node:)?(assert(\/strict)?|chai|should|expect|power-assert)["']/.test(line)
    )
      continue;
    for (const one of within(node)) {
      if (/^(identifier|shorthand_property_identifier_pattern)$/.test(one.type)) names.add(textOf(text, one));
    }
  }
  names.delete("require");
  return names;
}
