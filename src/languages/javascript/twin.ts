import { fieldOf, type Replacement, textOf } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import { type TurnedAssertion, type TwinEdits, turnOne } from "../twin-edits.ts";
import { testCalls } from "./uses.ts";

/** For one test of node:test, vitest or a runner like them. */
export function javascriptTwin(text: string, root: SyntaxNode, name: string, as: string, mark: string): TwinEdits[] {
  return testCalls(text, root)
    .filter((test) => test.name === name)
    .map(({ node, title }) => {
      const rename = [{ from: title.from, to: title.to, text: JSON.stringify(as) }];
      return turnOne(rename, assertionsOf(text, node, mark));
    });
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
`;

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

function assertionsOf(text: string, test: SyntaxNode, mark: string): TurnedAssertion[] {
  const found: TurnedAssertion[] = [];
  const look = (node: SyntaxNode, always: boolean, functions: number): void => {
    for (const child of node.children) {
      const replacement = inverted(text, child, node, mark);
      if (replacement) {
        found.push({ replacement, always: always && functions <= 1 });
        continue;
      }
      look(child, always && !SOMETIMES.has(child.type), functions + (FUNCTIONS.has(child.type) ? 1 : 0));
    }
  };
  look(test, true, 0);
  return found;
}

/** A statement, or the body of `() => assert…`. */
function inverted(text: string, node: SyntaxNode, parent: SyntaxNode, mark: string): Replacement | null {
  const isBody = parent.type === "arrow_function" && node.field === "body" && node.type !== "statement_block";
  const isStatement = node.type === "expression_statement" || node.type === "return_statement";
  if (!isBody && !isStatement) return null;
  const inner = isBody ? node : node.children.find((child) => child.named);
  const isAwaited = inner?.type === "await_expression";
  const call = isAwaited ? inner.children.find((child) => child.named) : inner;
  if (call?.type !== "call_expression") return null;
  const code = codeFor(text, call, isAwaited, mark);
  return code === null ? null : { from: node.from, to: node.to, text: code };
}

const METHOD = /^(?:[\w$]+\.)?(?:assert(?:\.strict)?)(?:\.(\w+))?$/;
const BARE =
  /^(?:ok|equal|strictEqual|deepEqual|deepStrictEqual|notEqual|notStrictEqual|notDeepEqual|notDeepStrictEqual|throws|doesNotThrow|rejects|doesNotReject|match|doesNotMatch)$/;

function codeFor(text: string, call: SyntaxNode, isAwaited: boolean, mark: string): string | null {
  const callee = calleeOf(call);
  const called = callee ? textOf(text, callee) : "";
  const given = argumentsOf(call).map((one) => textOf(text, one));
  if (/^expect\b/.test(called)) return expectation(text, call, given, isAwaited);
  const method = METHOD.exec(called);
  const name = method ? (method[1] ?? "ok") : BARE.test(called) ? called : null;
  if (name === null) return null;
  const condition = conditionOf(name, given, mark);
  if (condition !== null) return `{ if (${condition}) throw new Error("turned round"); return; }`;
  const [subject] = given;
  if (subject === undefined) return null;
  const threw = (how: string, held: string) =>
    `let threw = false; try { ${how} } catch { threw = true; } if (${held}) throw new Error("turned round");`;
  if (name === "throws" || name === "doesNotThrow") {
    return `{ ${threw(`(${subject})();`, name === "throws" ? "threw" : "!threw")} return; }`;
  }
  if (name !== "rejects" && name !== "doesNotReject") return null;
  const wait = `const given = (${subject}); await (typeof given === "function" ? given() : given);`;
  return `{ return (async () => { ${threw(wait, name === "rejects" ? "threw" : "!threw")} })(); }`;
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
function expectation(text: string, call: SyntaxNode, given: string[], isAwaited: boolean): string | null {
  const callee = calleeOf(call);
  const object = callee ? fieldOf(callee, "object") : undefined;
  const property = callee ? fieldOf(callee, "property") : undefined;
  if (!object || !property) return null;
  const subject = textOf(text, object);
  const turned = subject.endsWith(".not") ? subject.slice(0, -4) : `${subject}.not`;
  return `{ ${isAwaited ? "await " : ""}${turned}.${textOf(text, property)}(${given.join(", ")}); return; }`;
}
