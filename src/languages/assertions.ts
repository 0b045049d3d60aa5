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

/**
 * Counts the reachable assertions, those of functions and methods of the same file with them. `imported`: names that
 * this file imports from a module of assertions.
 */
export function claimsIn(source: Source, body: SyntaxNode, root: SyntaxNode, imported: ReadonlySet<string>): Claims {
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
  const helpers = definitionsIn(source, root);
  const followed = new Set<SyntaxNode>([body]);
  const visit = (node: SyntaxNode, swallowed: boolean): void => {
    if (node.type === "assert_statement") {
      const [claim] = namedChildren(node);
      const canFail = !swallowed && claim !== undefined && depends(claim) && !isAlwaysTrue(source, claim);
      count(canFail, canFail && isExactClaim(source, claim));
    } else if (node.type === "raise_statement" || node.type === "throw_statement") {
      if (!swallowed) count(true, false);
    } else if (node.type === "call" || node.type === "call_expression") {
      const name = assertionName(source, node, imported);
      const helper = helpers.get(calledName(source, node));
      if (helper && !followed.has(helper)) {
        followed.add(helper);
        visit(helper, swallowed);
      }
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

/** The bodies of functions and methods that a file defines, by their names. */
function definitionsIn(source: Source, root: SyntaxNode): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const node of nodesIn(root)) {
    if (!/^(function_definition|function_declaration|method_definition|variable_declarator)$/.test(node.type)) continue;
    const name = childOf(node, "name");
    const value = node.type === "variable_declarator" ? childOf(node, "value") : node;
    const body = value && (value === node || /function/.test(value.type)) ? childOf(value, "body") : undefined;
    if (name && body) found.set(textOf(source, name), body);
  }
  return found;
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

const BINDS =
  /^(assignment|augmented_assignment|variable_declarator|assignment_expression|augmented_assignment_expression)$/;
const SCALAR = /^(integer|float|number|string|true|false|none|null|undefined|unary_operator|unary_expression)$/;

/** Names that get one plain value here, and nothing else ever: what is counted up, filled or set later is none. */
function constantNames(source: Source, body: SyntaxNode): Set<string> {
  const bound = new Map<string, number>();
  const plain = new Set<string>();
  for (const node of nodesIn(body)) {
    for (const name of namesBoundBy(source, node)) bound.set(name, (bound.get(name) ?? 0) + 1);
    if (node.type !== "assignment" && node.type !== "variable_declarator") continue;
    const name = childOf(node, "left") ?? childOf(node, "name");
    const value = childOf(node, "right") ?? childOf(node, "value");
    if (name?.type === "identifier" && value && SCALAR.test(value.type) && !dependsOnCode(source, value, plain))
      plain.add(textOf(source, name));
  }
  return new Set([...plain].filter((name) => bound.get(name) === 1));
}

/** Every name that this statement may give another value to. */
function namesBoundBy(source: Source, node: SyntaxNode): string[] {
  const target = BINDS.test(node.type)
    ? (childOf(node, "left") ?? childOf(node, "name"))
    : node.type === "update_expression"
      ? childOf(node, "argument")
      : /^(for_statement|for_in_statement|for_in_clause)$/.test(node.type)
        ? childOf(node, "left")
        : /^(nonlocal_statement|global_statement|named_expression|as_pattern_target)$/.test(node.type)
          ? node
          : undefined;
  return [...(target ? nodesIn(target) : [])]
    .filter(({ type }) => type === "identifier" || type === "shorthand_property_identifier_pattern")
    .map((one) => textOf(source, one));
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
  return claim.type === "comparison_operator" && isSameTwice(source, left, right);
}

/** The same words, and nothing in them that could give something else the second time: no call, no attribute. */
const isSameTwice = (source: Source, a: SyntaxNode, b: SyntaxNode): boolean =>
  wordsOf(source, a) === wordsOf(source, b) &&
  ![...nodesIn(a)].some(({ type }) => /call|new_expression|await|attribute|member_expression|subscript/.test(type));

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
  const [first, second] = given;
  const compares = /equal|same|^is$|toBe$|^eq$/i.test(name) && !/not/i.test(name);
  return !(compares && first && second && isSameTwice(source, first, second));
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
