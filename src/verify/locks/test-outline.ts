import { type Grammar, grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { type Claims, claimsIn } from "./assertions.ts";
import { childOf, namedChildren, nodesIn, type Source, textOf, wordsOf } from "./syntax-text.ts";

/** One test as it stands in its file. */
export interface TestOutline {
  /** As reports name it: `TestTotal::test_sum`, `total > sums`. */
  name: string;
  /** Its words, decorators included: equal words, equal test. */
  words: string;
  assertions: number;
  exact: number;
  /** `silent`: it runs something and asserts nothing. `constant`: what it asserts always holds. */
  strength: "asserts" | "silent" | "constant" | "empty";
}

/** The tests of a file, in order. Of a file in no language we can read there are none; broken text gives what it can. */
export async function outlineTests(path: string, text: string, parsers: SyntaxParsers): Promise<TestOutline[]> {
  const grammar = grammarOf(path);
  if (grammar === null || grammar === "go") return [];
  const { root } = await parsers.parse(grammar, text);
  const source = { text };
  try {
    const imported = grammar === "python" ? NONE : assertionImports(source, root);
    return testNodes(grammar, source, root).map(({ name, node, body }) =>
      outline(source, name, node, body && claimsIn(source, body, imported)),
    );
  } catch (error) {
    // Nested deeper than any person writes: then the runs alone must tell.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** A test where it stands: all of it, and what it does. */
export interface TestNode {
  name: string;
  node: SyntaxNode;
  body: SyntaxNode | null;
}

export const testNodes = (grammar: Grammar, source: Source, root: SyntaxNode): TestNode[] =>
  grammar === "python" ? pythonTests(source, root) : scriptTests(source, root);

function outline(source: Source, name: string, whole: SyntaxNode, claims: Claims | null): TestOutline {
  const { assertions, exact, constant, acts } = claims ?? { assertions: 0, exact: 0, constant: 0, acts: false };
  const strength = assertions > 0 ? "asserts" : constant > 0 ? "constant" : acts ? "silent" : "empty";
  return { name, words: wordsOf(source, whole), assertions, exact, strength };
}

const NONE: ReadonlySet<string> = new Set();

/** As pytest collects them: functions `test*`, and methods `test*` of classes. */
function pythonTests(source: Source, block: SyntaxNode, prefix = ""): TestNode[] {
  return block.children.flatMap((child): TestNode[] => {
    const definition = child.type === "decorated_definition" ? childOf(child, "definition") : child;
    const name = definition && childOf(definition, "name");
    const body = definition && childOf(definition, "body");
    if (!definition || !name || !body) return [];
    const own = textOf(source, name);
    if (definition.type === "class_definition") return pythonTests(source, body, `${prefix}${own}::`);
    if (definition.type !== "function_definition" || !own.startsWith("test")) return [];
    return [{ name: prefix + own, node: child, body }];
  });
}

const GROUP = /^(describe|suite|context|fdescribe|xdescribe)$/;
const TEST = /^(test|it|specify|fit|xit|xtest)$/;

/** As node:test, Vitest, Jest and Mocha know them: calls of `test` and `it`, within groups. */
function scriptTests(source: Source, root: SyntaxNode): TestNode[] {
  const found: TestNode[] = [];
  const walk = (node: SyntaxNode, prefix: string): void => {
    const called = node.type === "call_expression" ? calledAs(source, node) : null;
    const name = called === null ? null : titleOf(source, node);
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

function calledAs(source: Source, call: SyntaxNode): "test" | "group" | null {
  const names: string[] = [];
  for (let node: SyntaxNode | undefined = childOf(call, "function"); node; ) {
    const property = childOf(node, "property");
    if (property) names.unshift(textOf(source, property));
    const next: SyntaxNode | undefined = childOf(node, "object") ?? childOf(node, "function");
    if (!next) names.unshift(textOf(source, node));
    node = next;
  }
  const [root = "", ...rest] = names;
  if (GROUP.test(root) || rest.at(-1) === "describe") return "group";
  if (TEST.test(root)) return rest.includes("describe") ? "group" : isHook(rest) ? null : "test";
  // A test within a test: `t.test("…", …)`.
  return rest.length === 1 && rest[0] === "test" && /^[a-z]\w{0,7}$/.test(root) ? "test" : null;
}

const isHook = (rest: string[]): boolean => /^(before|after|mock|setup|extend|use)/.test(rest[0] ?? "");

function titleOf(source: Source, call: SyntaxNode): string | null {
  const [title] = namedChildren(childOf(call, "arguments") ?? call);
  if (!title || !/^(string|template_string)$/.test(title.type)) return null;
  return textOf(source, title)
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
function assertionImports(source: Source, root: SyntaxNode): Set<string> {
  const names = new Set<string>();
  for (const node of root.children) {
    const text = textOf(source, node);
    if (
      !/^(import|const|let|var)\b/.test(text) ||
      !/["'](node:)?(assert(\/strict)?|chai|should|expect|power-assert)["']/.test(text)
    )
      continue;
    for (const one of nodesIn(node)) {
      if (/^(identifier|shorthand_property_identifier_pattern)$/.test(one.type)) names.add(textOf(source, one));
    }
  }
  names.delete("require");
  return names;
}
