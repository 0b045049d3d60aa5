import { fieldOf, type Replacement, textOf } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import { earlyReturn } from "../early-return.ts";
import type { TestNode } from "../test-syntax.ts";
import { type TurnedAssertion, type TwinEdits, turnOne } from "../twin-edits.ts";
import { type AssertionNames, assertionNames } from "./assertion-names.ts";
import { turnBody, turnBodySupport } from "./turn-body.ts";

/** For one test of node:test, vitest or a runner like them. */
export function javascriptTwin(text: string, root: SyntaxNode, test: TestNode, mark: string): TwinEdits | null {
  return turnOne(assertionsOf(text, root, test, mark)) ?? turnBody(text, test, mark);
}

/**
 * Our own comparison, because the runner's assertions may have been patched. If it is not sure, it says that the values
 * are the same.
 */
export const javascriptTwinSupport = (mark: string): string => `

function same_${mark}(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a == b;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if ((a instanceof Map && b instanceof Map) || (a instanceof Set && b instanceof Set)) return a.size === b.size;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same_${mark}(a[key], b[key]));
}
${turnBodySupport(mark)}`;

const SOMETIMES = new Set([
  "for_statement",
  "for_in_statement",
  "while_statement",
  "do_statement",
  "if_statement",
  "try_statement",
  "switch_statement",
  "ternary_expression",
]);
const FUNCTIONS = new Set(["arrow_function", "function_expression", "function_declaration", "method_definition"]);

function assertionsOf(text: string, root: SyntaxNode, { body }: TestNode, mark: string): TurnedAssertion[] {
  const found: TurnedAssertion[] = [];
  if (!body) return found;
  const names = assertionNames(text, root);
  const end = earlyReturn(body);
  const look = (node: SyntaxNode, always: boolean): void => {
    const replacement = inverted(text, node, node === body, names, mark);
    if (replacement) found.push({ replacement, always: always && node.from < end });
    else
      for (const child of node.children) look(child, always && !SOMETIMES.has(node.type) && !FUNCTIONS.has(node.type));
  };
  look(body, true);
  return found;
}

/** A statement, or the body of `() => assert…`. */
function inverted(
  text: string,
  node: SyntaxNode,
  isOwnBody: boolean,
  names: AssertionNames,
  mark: string,
): Replacement | null {
  const isBody = isOwnBody && node.type !== "statement_block";
  const isReturned = isBody || node.type === "return_statement";
  if (!isReturned && node.type !== "expression_statement") return null;
  const inner = isBody ? node : node.children.find((child) => child.named);
  const isAwaited = inner?.type === "await_expression";
  const call = isAwaited ? inner.children.find((child) => child.named) : inner;
  if (call?.type !== "call_expression") return null;
  const code = codeFor(text, call, isAwaited ? "awaited" : isReturned ? "returned" : "plain", names, mark);
  return code === null ? null : { from: node.from, to: node.to, text: code };
}

/** What becomes of the value of an assertion, which may be a promise. */
type Given = "awaited" | "returned" | "plain";

function codeFor(text: string, call: SyntaxNode, how: Given, names: AssertionNames, mark: string): string | null {
  const nodes = argumentsOf(call);
  if (nodes.some(({ type }) => type === "spread_element")) return null;
  const given = nodes.map((one) => textOf(text, one));
  const thrown = `throw new Error("${mark}");`;
  const threw = (what: string, held: string) =>
    `let threw_${mark} = false; try { ${what} } catch { threw_${mark} = true; } if (${held}) ${thrown}`;
  const inTurn = (code: string) =>
    how === "awaited" ? `{ ${code} return; }` : `{ return (async () => { ${code} })(); }`;
  const matcher = names.matcher(call);
  if (matcher) {
    const opposite = negated(text, call, matcher.negated);
    if (opposite === null) return null;
    // It fails by an error of ours, so that we know where it failed.
    if (how === "plain") return `{ ${threw(`${opposite};`, `threw_${mark}`)} return; }`;
    return inTurn(threw(`await ${opposite};`, `threw_${mark}`));
  }
  const name = names.method(call);
  if (name === null) return null;
  const condition = conditionOf(name, given, mark);
  if (condition !== null) return `{ if (${condition}) ${thrown} return; }`;
  const [subject] = given;
  if (subject === undefined) return null;
  const held = name === "throws" || name === "rejects" ? `threw_${mark}` : `!threw_${mark}`;
  if (name === "throws" || name === "doesNotThrow") return `{ ${threw(`(${subject})();`, held)} return; }`;
  if ((name !== "rejects" && name !== "doesNotReject") || how === "plain") return null;
  const wait = `const given_${mark} = (${subject}); await (typeof given_${mark} === "function" ? given_${mark}() : given_${mark});`;
  return inTurn(threw(wait, held));
}

function conditionOf(name: string, [a, b]: string[], mark: string): string | null {
  if (a === undefined) return null;
  if (name === "ok") return a;
  if (b === undefined) return null;
  const same = `same_${mark}((${a}), (${b}))`;
  if (name === "equal" || name === "strictEqual" || name === "deepEqual" || name === "deepStrictEqual") return same;
  if (/^not(Deep)?(Strict)?Equal$/.test(name)) return `!${same}`;
  if (name === "match") return `(${b}).test(${a})`;
  return name === "doesNotMatch" ? `!(${b}).test(${a})` : null;
}

/** `expect(a).toBe(b)` ↔ `expect(a).not.toBe(b)`. */
function negated(text: string, call: SyntaxNode, isNegated: boolean): string | null {
  const callee = calleeOf(call);
  const object = callee ? fieldOf(callee, "object") : undefined;
  const property = callee ? fieldOf(callee, "property") : undefined;
  const list = fieldOf(call, "arguments");
  if (!object || !property || !list) return null;
  const subject = textOf(text, object);
  // Elsewhere in the chain it may belong to something else.
  if (isNegated && !subject.endsWith(".not")) return null;
  const turned = isNegated ? subject.slice(0, -4) : `${subject}.not`;
  return `${turned}.${textOf(text, property)}${textOf(text, list)}`;
}
