import { fieldOf as childOf, textOf } from "../../syntax/nodes.ts";
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
