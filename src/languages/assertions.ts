import type { SyntaxNode } from "../syntax/parse.ts";
import { childOf, namedChildren, nodesIn, type Source, textOf, wordsOf } from "./syntax-text.ts";

/** What a test's body claims. */
export interface Claims {
  /** Assertions that can fail. */
  assertions: number;
  /** How many of these name the exact value, or the exact error. */
  exact: number;
  /** Assertions that hold whatever the code does: `assert True`, `expect(x).toBe(x)`, or swallowed ones. */
  constant: number;
  /** Whether the body does anything that could fail: a call, or a loop over something. */
  acts: boolean;
}

/** Counts the reachable assertions. `imported`: names that this file imports from a module of assertions. */
export function claimsIn(source: Source, body: SyntaxNode, imported: ReadonlySet<string>): Claims {
  const claims: Claims = { assertions: 0, exact: 0, constant: 0, acts: false };
  const constants = constantNames(source, body);
  const depends = (node: SyntaxNode): boolean => dependsOnCode(source, node, constants);
  const count = (canFail: boolean, exact: boolean) => {
    if (!canFail) claims.constant += 1;
    else {
      claims.assertions += 1;
      if (exact) claims.exact += 1;
    }
  };
  const visit = (node: SyntaxNode, swallowed: boolean): void => {
    if (node.type === "assert_statement") {
      const [claim] = namedChildren(node);
      const canFail = !swallowed && claim !== undefined && depends(claim) && !isAlwaysTrue(source, claim);
      count(canFail, canFail && isExactClaim(source, claim));
    } else if (node.type === "raise_statement" || node.type === "throw_statement") {
      if (!swallowed) count(true, false);
    } else if (node.type === "call" || node.type === "call_expression") {
      const name = assertionName(source, node, imported);
      if (name === null) claims.acts ||= !HARMLESS.test(calledName(source, node));
      else count(!swallowed && canFail(source, node, name, depends), isExactCall(source, node, name));
      // The parts of an assertion are no further assertions, but a call in it is an act.
      if (name !== null) return;
    } else if (node.type === "await_expression" || node.type === "await") claims.acts = true;
    for (const child of reachable(source, node)) {
      visit(child, swallowed || (child.field === "body" && node.type === "try_statement" && swallows(source, node)));
    }
  };
  visit(body, false);
  return claims;
}

/** Calls that print or make values and never fail. */
const HARMLESS = /^(print|len|str|int|list|dict|set|tuple|log|info|debug|warn|String|Number|Boolean)$/;

/** The code that can run: nothing after a return, and no branch with a constant condition. */
function reachable(source: Source, node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type === "if_statement") {
    const condition = childOf(node, "condition");
    if (condition && /^\(?(False|None|0|false|null)\)?$/.test(textOf(source, condition))) {
      return node.children.filter((child) => child.field !== "consequence");
    }
  }
  if (node.type !== "block" && node.type !== "statement_block") return node.children;
  const end = node.children.findIndex((child) => child.type === "return_statement");
  return end < 0 ? node.children : node.children.slice(0, end + 1);
}

/** True for a handler that catches every error, even a failed assertion, and goes on. */
function swallows(source: Source, node: SyntaxNode): boolean {
  const handlers = node.children.filter((child) => child.type === "except_clause" || child.type === "catch_clause");
  return handlers.some((handler) => {
    const rethrows = [...nodesIn(handler)].some(({ type }) => /^(raise|throw|assert)_statement$/.test(type));
    if (rethrows || /\b(assert|expect|fail)\w*\s*[.(]/.test(textOf(source, handler))) return false;
    if (handler.type === "catch_clause") return true;
    const head = textOf(source, handler).split(":")[0] ?? "";
    return head.trim() === "except" || /\b(BaseException|Exception|AssertionError)\b/.test(head);
  });
}

/** Names that only ever get constants here. */
function constantNames(source: Source, body: SyntaxNode): Set<string> {
  const constant = new Set<string>();
  const other = new Set<string>();
  for (const node of nodesIn(body)) {
    if (node.type !== "assignment" && node.type !== "variable_declarator") continue;
    const name = childOf(node, "left") ?? childOf(node, "name");
    const value = childOf(node, "right") ?? childOf(node, "value");
    if (name?.type !== "identifier" || !value) continue;
    const isConstant = !dependsOnCode(source, value, constant);
    (isConstant ? constant : other).add(textOf(source, name));
  }
  for (const name of other) constant.delete(name);
  return constant;
}

/** Whether its value can differ from what is written there. */
function dependsOnCode(source: Source, node: SyntaxNode, constants: ReadonlySet<string>): boolean {
  for (const one of nodesIn(node)) {
    if (one.type === "identifier" && one.field !== "name") {
      if (!constants.has(textOf(source, one)) && textOf(source, one) !== "undefined") return true;
    }
    if (one.type === "this" || one.type === "import") return true;
  }
  return false;
}

/** `assert (x, "why")`, `assert x == x`, `assert x or True`. */
function isAlwaysTrue(source: Source, claim: SyntaxNode): boolean {
  if (/^(tuple|list|dictionary|set|lambda|generator_expression)$/.test(claim.type)) return true;
  if (claim.type === "parenthesized_expression") {
    const [inner] = namedChildren(claim);
    return inner !== undefined && isAlwaysTrue(source, inner);
  }
  const [left, right] = namedChildren(claim);
  if (!left || !right) return false;
  if (claim.type === "boolean_operator") {
    const isOr = claim.children.some((child) => textOf(source, child) === "or");
    return isOr && [left, right].some((side) => textOf(source, side) === "True");
  }
  return claim.type === "comparison_operator" && wordsOf(source, left) === wordsOf(source, right);
}

const isExactClaim = (source: Source, claim: SyntaxNode): boolean =>
  claim.type === "comparison_operator" && claim.children.some((child) => /^(==|is)$/.test(textOf(source, child)));

/** The last name of what is called: `equal` of `assert.equal(…)`. */
function calledName(source: Source, call: SyntaxNode): string {
  const callee = childOf(call, "function");
  if (!callee) return "";
  const last = childOf(callee, "attribute") ?? childOf(callee, "property") ?? callee;
  return textOf(source, last);
}

/** The matcher or method of an assertion; null when the call is none. */
function assertionName(source: Source, call: SyntaxNode, imported: ReadonlySet<string>): string | null {
  const name = calledName(source, call);
  if (call.type === "call") return /^(assert\w*|raises|warns|fail|deprecated_call)$/i.test(name) ? name : null;
  const root = rootName(source, call);
  // `expect(x)` alone claims nothing.
  if (/^expect/.test(root)) return childOf(call, "function")?.type === "member_expression" ? name : null;
  if (/^assert/.test(root) || /^assert/.test(name) || imported.has(root)) return name;
  return /\.(assert|should)\./.test(textOf(source, childOf(call, "function") ?? call).slice(0, 200)) ? name : null;
}

/** The name a chain begins with: `expect` of `expect(x).not.toBe(y)`. */
function rootName(source: Source, call: SyntaxNode): string {
  let node = call;
  for (;;) {
    const next = childOf(node, "function") ?? childOf(node, "object");
    if (!next) return textOf(source, node);
    node = next;
  }
}

function canFail(source: Source, call: SyntaxNode, name: string, depends: (node: SyntaxNode) => boolean): boolean {
  if (/^(raises|warns|fail|deprecated_call)$/.test(name)) return true;
  const given = argumentsOf(call);
  if (!given.some(depends)) return false;
  // The same on both sides, as in `assertEqual(x, x)` and `expect(x).toBe(x)`.
  const words = given.slice(0, 2).map((one) => wordsOf(source, one));
  const compares = /equal|same|^is$|toBe$|^eq$/i.test(name);
  return !(compares && !/not/i.test(name) && words.length === 2 && words[0] === words[1]);
}

/** All arguments of a chain, in order. */
function argumentsOf(call: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let node: SyntaxNode | undefined = call; node; node = childOf(node, "function") ?? childOf(node, "object")) {
    const list = childOf(node, "arguments");
    if (list) found.unshift(...namedChildren(list));
  }
  return found;
}

function isExactCall(source: Source, call: SyntaxNode, name: string): boolean {
  if (/^(raises|assertRaises|throws|rejects|toThrow|toThrowError)$/.test(name)) {
    const [error] = argumentsOf(call);
    return error !== undefined && !/^(Exception|BaseException|Error)$/.test(textOf(source, error));
  }
  return (
    /equal|^toBe$|^assertIs$|^assertCountEqual$|same|snapshot|^match|toMatch|^eq$/i.test(name) && !/not/i.test(name)
  );
}
