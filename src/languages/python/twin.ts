import { fieldOf, type Replacement, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { earlyReturn } from "../early-return.ts";
import type { TestNode } from "../test-syntax.ts";
import { type TurnedAssertion, type TwinEdits, turnOne } from "../twin-edits.ts";
import { turnBody, turnBodySupport } from "./turn-body.ts";
import { importedAs } from "./uses.ts";

/** The twin of one test of a pytest file. `mark` makes our names unguessable and distinct from the test's own. */
export function pythonTwin(text: string, root: SyntaxNode, test: TestNode, as: string, mark: string): TwinEdits {
  return turnOne(test.body ? assertionsOf(text, root, test.body, mark) : []) ?? turnBody(test, as, mark);
}

/**
 * Makes a value that is surely not equal to the expected one, but has the same type and form. An object that claims to
 * equal everything, or whatever it is compared with first, also equals this value, and so reveals itself. `_in_` asks a
 * container for something it cannot hold, and asks a value whether it is something else than those it is among.
 */
export const pythonTwinSupport = (mark: string): string => `

def _other_${mark}(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        near = value + ${17 + (Number.parseInt(mark.slice(0, 3), 16) || 0)}
        return near if near != value else object()
    if isinstance(value, str):
        return value + "${letterOf(mark)}"
    if isinstance(value, bytes):
        return value + b"${letterOf(mark)}"
    if type(value) in (list, tuple):
        return type(value)([*value[:-1], _other_${mark}(value[-1])] if value else [0])
    if isinstance(value, dict):
        last = [*value][-1:]
        return {**value, last[0]: _other_${mark}(value[last[0]])} if last else {0: 0}
    if isinstance(value, (set, frozenset)):
        some = [*value][:1]
        return {*value} - {*some} | {"_${mark}"}
    return object()


def _in_${mark}(value, among):
    if isinstance(among, (list, tuple, set, frozenset)) and len(among) > 0:
        other = _other_${mark}(next(iter(among)))
        return other not in [*among] and value in [other]
    return isinstance(value, str) and value + "_${mark}" in among
${turnBodySupport(mark)}`;

const letterOf = (mark: string): string =>
  String.fromCharCode(97 + ((Number.parseInt(mark.slice(3, 5), 16) || 0) % 26));

const SOMETIMES = new Set([
  "for_statement",
  "while_statement",
  "if_statement",
  "try_statement",
  "function_definition",
  "lambda",
  "match_statement",
]);

/** What keeps an assertion inside from failing the test. */
const SWALLOWS = /\b(raises|suppress|warns|assertRaises\w*|assertWarns\w*|subTest|subtests\.test)\(/;

function assertionsOf(text: string, root: SyntaxNode, body: SyntaxNode, mark: string): TurnedAssertion[] {
  const found: TurnedAssertion[] = [];
  const end = earlyReturn(body);
  const raises = new Set(importedAs(text, root, "pytest", "raises"));
  const look = (node: SyntaxNode, always: boolean): void => {
    for (const child of node.children) {
      const replacement = inverted(text, child, raises, mark);
      if (replacement) found.push({ replacement, always: always && child.from < end });
      else look(child, always && !SOMETIMES.has(child.type) && !swallows(text, child));
    }
  };
  look(body, true);
  return found;
}

const swallows = (text: string, node: SyntaxNode): boolean =>
  node.type === "with_statement" && SWALLOWS.test(text.slice(node.from, fieldOf(node, "body")?.from ?? node.to));

function inverted(text: string, node: SyntaxNode, raises: ReadonlySet<string>, mark: string): Replacement | null {
  if (node.type === "assert_statement") {
    const condition = node.children.find((child) => child.named);
    return condition ? { from: node.from, to: node.to, text: notHeld(text, condition, mark) } : null;
  }
  if (node.type === "with_statement") return invertedRaises(text, node, raises, mark);
  const call = node.type === "expression_statement" ? node.children.find((child) => child.type === "call") : undefined;
  return call ? invertedMethod(text, node, call, mark) : null;
}

/** After the inverted assertion nothing else may fail: a passing twin must mean that this assertion does not hold. */
function notHeld(text: string, condition: SyntaxNode, mark: string): string {
  const claims = conjuncts(text, condition).map((claim) => comparisonIn(text, claim));
  if (!claims.some((claim) => claim !== null)) return `assert not (${textOf(text, condition)}), "${mark}"; return`;
  const parts = conjuncts(text, condition).map((claim, index) => {
    const compared = claims[index];
    const prefix = `_v${index}_${mark}`;
    return compared
      ? turnedComparison(text, compared, prefix, mark)
      : { given: "", absurd: [], holds: `(${textOf(text, claim)})` };
  });
  const given = parts.map((part) => part.given).join("");
  const absurd = parts.flatMap((part) => part.absurd);
  // The impossible is asked first: an object may agree with whatever comes first, and only with that.
  const opposite = [...absurd, `not (${parts.map((part) => part.holds).join(" and ")})`].join(" or ");
  return `${given}assert ${opposite}, "${mark}"; return`;
}

/** All of these must hold for the claim to hold. */
function conjuncts(text: string, claim: SyntaxNode): SyntaxNode[] {
  const inner = claim.type === "parenthesized_expression" ? claim.children.filter((child) => child.named) : [];
  if (inner[0] && inner.length === 1) return conjuncts(text, inner[0]);
  const isAnd = claim.type === "boolean_operator" && claim.children.some(({ type }) => type === "and");
  return isAnd ? claim.children.filter((child) => child.named).flatMap((child) => conjuncts(text, child)) : [claim];
}

interface ComparisonChain {
  operands: SyntaxNode[];
  operators: string[];
}

const COMPARED = new Set(["==", "!=", "<", "<=", ">", ">=", "in"]);

function comparisonIn(text: string, claim: SyntaxNode): ComparisonChain | null {
  if (claim.type !== "comparison_operator") return null;
  const operands = claim.children.filter((child) => child.field !== "operators" && child.named);
  const operators = claim.children.filter((child) => child.field === "operators").map((child) => textOf(text, child));
  const isRead = operators.every((operator) => COMPARED.has(operator)) && operands.length === operators.length + 1;
  return isRead ? { operands, operators } : null;
}

/** The values under our own names, then what cannot be true of them, then the claim. */
function turnedComparison(text: string, { operands, operators }: ComparisonChain, prefix: string, mark: string) {
  const name = (index: number) => `${prefix}_${index}`;
  const given = operands.map((operand, index) => `${name(index)} = (${textOf(text, operand)}); `).join("");
  const absurd = operators.flatMap((operator, index) => contradictions(operator, name(index), name(index + 1), mark));
  const holds = operators.map((operator, index) => `(${name(index)} ${operator} ${name(index + 1)})`).join(" and ");
  return { given, absurd, holds };
}

function contradictions(operator: string, left: string, right: string, mark: string): string[] {
  if (operator === "==") return [`${left} == _other_${mark}(${right})`, `${right} == _other_${mark}(${left})`];
  if (operator === "!=") return [`${left} == ${right}`];
  if (operator === "in") return [`_in_${mark}(${left}, ${right})`];
  return [`${left} ${operator.startsWith("<") ? ">" : "<"} ${right}`];
}

/** For the methods of unittest. */
function notEqual(left: string, right: string, mark: string): string {
  const [l, r] = [`_l_${mark}`, `_r_${mark}`];
  const absurd = contradictions("==", l, r, mark).join(" or ");
  return `${l} = (${left}); ${r} = (${right}); assert ${absurd} or not (${l} == ${r}), "${mark}"; return`;
}

/** `with pytest.raises(E):` becomes plain `try`, which no patch of the runner reaches. */
function invertedRaises(text: string, node: SyntaxNode, raises: ReadonlySet<string>, mark: string): Replacement | null {
  const items = [...within(node)].filter((one) => one.type === "with_item");
  const body = fieldOf(node, "body");
  const clause = node.children.find((child) => child.type === "with_clause");
  const own = items.filter((item) => clause && item.from >= clause.from && item.to <= clause.to);
  const [item] = own;
  if (own.length !== 1 || !item || !body) return null;
  const call = [...within(item)].find((one) => one.type === "call");
  const callee = call ? fieldOf(call, "function") : undefined;
  const called = callee ? textOf(text, callee) : "";
  if (!call || !callee || !(raises.has(called) || /^self\.assertRaises(Regex)?$/.test(called))) return null;
  const given = fieldOf(call, "arguments")?.children.filter((child) => child.named && child.type !== "comment") ?? [];
  const [type] = given;
  const lineStart = text.lastIndexOf("\n", node.from - 1) + 1;
  const indent = text.slice(lineStart, node.from);
  if (!type || type.type === "keyword_argument" || indent.trim() !== "") return null;
  const match = given.find(
    (child) =>
      child.type === "keyword_argument" &&
      fieldOf(child, "name") &&
      textOf(text, fieldOf(child, "name") ?? child) === "match",
  );
  const pattern = match ? fieldOf(match, "value") : called.endsWith("Regex") ? given[1] : undefined;
  const [held, error] = [`_held_${mark}`, `_error_${mark}`];
  const check = pattern ? `__import__("re").search(${textOf(text, pattern)}, str(${error})) is not None` : "True";
  const bodyStart = text.lastIndexOf("\n", body.from - 1) + 1;
  const ownLine = bodyStart > node.from;
  const lines = [
    `${held} = False`,
    `${indent}try:`,
    `${ownLine ? text.slice(bodyStart, body.from) : `${indent}    `}${textOf(text, body).trimEnd()}`,
    `${indent}except (${textOf(text, type)}) as ${error}:`,
    `${indent}    ${held} = ${check}`,
    `${indent}except BaseException:`,
    `${indent}    pass`,
    `${indent}assert not ${held}, "${mark}"`,
    `${indent}return`,
  ];
  return { from: node.from, to: node.to, text: `${lines.join("\n")}\n` };
}

/** The methods of unittest, as plain assertions. */
function invertedMethod(text: string, node: SyntaxNode, call: SyntaxNode, mark: string): Replacement | null {
  const callee = fieldOf(call, "function");
  const name = callee ? /^self\.(assert\w+)$/.exec(textOf(text, callee))?.[1] : undefined;
  const given = fieldOf(call, "arguments")
    ?.children.filter((child) => child.named && child.type !== "comment")
    .map((child) => textOf(text, child));
  const [a, b] = given ?? [];
  if (name === undefined || a === undefined) return null;
  const put = (code: string): Replacement => ({ from: node.from, to: node.to, text: code });
  const not = (condition: string) => put(`assert not (${condition}), "${mark}"; return`);
  if (name === "assertTrue") return not(a);
  if (name === "assertFalse") return not(`not (${a})`);
  if (name === "assertIsNone") return not(`(${a}) is None`);
  if (name === "assertIsNotNone") return not(`(${a}) is not None`);
  if (b === undefined) return null;
  if (/^assert(Equal|List|Dict|Set|Tuple|MultiLine)/.test(name)) return put(notEqual(a, b, mark));
  const operators: Record<string, string> = {
    assertIn: "in",
    assertNotIn: "not in",
    assertIs: "is",
    assertIsNot: "is not",
    assertNotEqual: "!=",
    assertLess: "<",
    assertLessEqual: "<=",
    assertGreater: ">",
    assertGreaterEqual: ">=",
  };
  const operator = operators[name];
  return operator === undefined ? null : not(`(${a}) ${operator} (${b})`);
}
