import { fieldOf as childOf, textOf } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { namedChildren } from "../syntax-text.ts";
import type { TestNode } from "../test-syntax.ts";

const GROUP = /^(describe|suite|context|fdescribe|xdescribe)$/;
const TEST = /^(test|it|specify|fit|xit|xtest)$/;

/** As node:test, Vitest, Jest and Mocha know them: calls of `test` and `it`, within groups. */
export function scriptTests(text: string, root: SyntaxNode): TestNode[] {
  const found: TestNode[] = [];
  const walk = (node: SyntaxNode, groups: Title): void => {
    const called = node.type === "call_expression" ? calledAs(text, node) : null;
    const label = called === null ? undefined : labelOf(node);
    if (called === null || !label) {
      for (const child of node.children) walk(child, groups);
      return;
    }
    const { body } = callbackOf(node);
    const own = titleOf(text, node, label);
    const name = groups.name + own.name;
    const pattern = groups.pattern + own.pattern;
    const whole = (source: string) => new RegExp(`^${source}$`, "s");
    const named = groups.isOpen || own.isOpen ? { full: whole(pattern), own: whole(own.pattern) } : undefined;
    if (called === "test") found.push({ name, node, body, label, ...(named && { named }) });
    if (body) walk(body, { name: `${name} > `, pattern: `${pattern} > `, isOpen: groups.isOpen || own.isOpen });
  };
  walk(root, { name: "", pattern: "", isOpen: false });
  return found;
}

/** What a test or group is called: as it is written, and as a pattern where a part of it is put in when it runs. */
interface Title {
  name: string;
  pattern: string;
  isOpen: boolean;
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

function labelOf(call: SyntaxNode): SyntaxNode | undefined {
  const [label] = namedChildren(childOf(call, "arguments") ?? call);
  return label && /^(string|template_string)$/.test(label.type) ? label : undefined;
}

/** `${name}`, and `%s`, `$name`, `%#` in the title of a table. */
const PUT_IN = /\$\{[^}]*\}/;
const PUT_IN_TABLE = /\$\{[^}]*\}|%[%a-zA-Z#$]|\$#?[\w.]+/;

function titleOf(text: string, call: SyntaxNode, label: SyntaxNode): Title {
  const name = textOf(text, label)
    .slice(1, -1)
    .replace(/\\(["'`\\])/g, "$1");
  const callee = childOf(call, "function");
  const holes = callee?.type === "call_expression" ? PUT_IN_TABLE : PUT_IN;
  const parts = name.split(new RegExp(holes, "g"));
  const pattern = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return { name, pattern, isOpen: parts.length > 1 };
}

/** The part of a case's name that is the test's own title: the shortest that can be it. */
export function ownTitle({ named }: TestNode, name: string): string {
  const parts = name.split(" > ");
  const tails = parts.map((_, index) => parts.slice(parts.length - 1 - index).join(" > "));
  return tails.find((tail) => named?.own.test(tail)) ?? name;
}

/** The function that a test is, where it is written out, and its body. */
export function callbackOf(call: SyntaxNode): { callback: SyntaxNode | null; body: SyntaxNode | null } {
  const list = childOf(call, "arguments");
  const callback =
    list && namedChildren(list).findLast(({ type }) => /^(arrow_function|function_expression)$/.test(type));
  return { callback: callback ?? null, body: (callback && childOf(callback, "body")) ?? null };
}
