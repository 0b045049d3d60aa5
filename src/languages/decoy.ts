import { fieldOf, type Replacement, textOf, within } from "../syntax/nodes.ts";
import type { SyntaxNode } from "../syntax/parse.ts";
import { anotherValue, isWrittenOut } from "./another-value.ts";
import { argumentsOf, calleeOf } from "./call-nodes.ts";
import { earlyReturn } from "./early-return.ts";
import type { TestNode } from "./test-syntax.ts";

/**
 * Edits that make one test expect another value and change nothing else. Null if no expected value is written out in an
 * assertion that surely runs. Honest code fails such a decoy. Code that reads its answers from the test, or decides the
 * outcome itself, passes it: it can tell the decoy from the test only if it knows the right answer.
 */
export function decoyEdits(
  { node }: TestNode,
  text: string,
  root: SyntaxNode,
  word: string,
  isExact: RegExp | ((call: SyntaxNode) => boolean),
): Replacement[] | null {
  const test = fieldOf(node, "definition") ?? node;
  const exact = isExact instanceof RegExp ? (call: SyntaxNode) => isExact.test(calledIn(text, call)) : isExact;
  for (const compared of comparisons(text, test, exact)) {
    const found = alter({ text, root, test }, compared, word);
    if (found) return found;
  }
  return null;
}

const calledIn = (text: string, call: SyntaxNode): string => textOf(text, calleeOf(call) ?? call);

interface Around {
  text: string;
  root: SyntaxNode;
  test: SyntaxNode;
}

interface Comparison {
  sides: [SyntaxNode, SyntaxNode];
  /** The loops around it, outermost first. */
  loops: SyntaxNode[];
}

const SOMETIMES = new Set([
  ...["if_statement", "while_statement", "try_statement", "match_statement", "do_statement", "switch_statement"],
  ...["ternary_expression", "conditional_expression", "lambda", "list_comprehension", "generator_expression"],
]);
const FUNCTION = /^(function_definition|arrow_function|function_expression|function_declaration|method_definition)$/;
const LOOP = new Set(["for_statement", "for_in_statement"]);

/** Exact comparisons of a test that run whenever the test does, including those in its loops. */
function comparisons(text: string, test: SyntaxNode, isExact: (call: SyntaxNode) => boolean): Comparison[] {
  const found: Comparison[] = [];
  const end = earlyReturn(bodyOf(test));
  const look = (node: SyntaxNode, loops: SyntaxNode[], functions: number): void => {
    for (const child of node.children) {
      const isFunction = FUNCTION.test(child.type);
      if (SOMETIMES.has(child.type) || (isFunction && functions > 0)) continue;
      if (child.type === "with_statement" && /\b(raises|suppress|warns|assertRaises\w*)\(/.test(headOf(text, child)))
        continue;
      const sides = sidesOf(child, isExact);
      if (sides && child.from < end) found.push({ sides, loops });
      else look(child, LOOP.has(child.type) ? [...loops, child] : loops, functions + (isFunction ? 1 : 0));
    }
  };
  look(test, [], test.type === "function_definition" ? 1 : 0);
  return found;
}

const headOf = (text: string, node: SyntaxNode) => text.slice(node.from, fieldOf(node, "body")?.from ?? node.to);

/** Of a function, or of the function that a call is given. */
const bodyOf = (test: SyntaxNode): SyntaxNode => {
  const callback = argumentsOf(test).findLast(({ type }) => FUNCTION.test(type)) ?? test;
  return fieldOf(callback, "body") ?? callback;
};

function sidesOf(node: SyntaxNode, isExact: (call: SyntaxNode) => boolean): [SyntaxNode, SyntaxNode] | null {
  if (node.type === "assert_statement") {
    const claim = node.children.find((child) => child.named);
    const operators = claim?.children.filter((child) => child.field === "operators") ?? [];
    const [left, right, more] = claim?.children.filter((child) => child.named && child.field !== "operators") ?? [];
    const isEqual = claim?.type === "comparison_operator" && operators.length === 1 && operators[0]?.type === "==";
    return isEqual && left && right && !more ? [left, right] : null;
  }
  if (node.type !== "call" && node.type !== "call_expression") return null;
  if (!isExact(node)) return null;
  const [first, second] = argumentsOf(node);
  if (!first || first.type === "spread_element") return null;
  const subject = subjectOf(node);
  if (subject) return [subject, first];
  return second ? [first, second] : null;
}

/** `f()` of `expect(f()).toBe(3)` and `expect(f()).to.equal(3)`. */
function subjectOf(call: SyntaxNode): SyntaxNode | null {
  let at = fieldOf(calleeOf(call) ?? call, "object");
  while (at?.type === "member_expression") at = fieldOf(at, "object");
  return at?.type === "call_expression" ? (argumentsOf(at)[0] ?? null) : null;
}

/** Gives other values to the side that is written out, here or where its name gets its value. */
function alter(around: Around, { sides, loops }: Comparison, word: string): Replacement[] | null {
  const places = sides.map((side) => valuesOf(around, side, loops));
  const [expected, other] = places.filter((place) => place !== null);
  if (!expected || other || expected.length === 0) return null;
  // A loop over anything else may not run at all.
  if (loops.some((loop) => !rowsOf(around, fieldOf(loop, "right")))) return null;
  const edits = expected.map((value) => anotherValue(around.text, value, word));
  return edits.every((edit) => edit !== null) ? edits : null;
}

function valuesOf(around: Around, side: SyntaxNode, loops: SyntaxNode[]): SyntaxNode[] | null {
  const { text, test, root } = around;
  if (isWrittenOut(side)) return [side];
  if (side.type === "call" && /(^|\.)approx$/.test(textOf(text, calleeOf(side) ?? side))) {
    const [value] = argumentsOf(side);
    return value && isWrittenOut(value) ? [value] : null;
  }
  if (side.type !== "identifier") return null;
  const name = textOf(text, side);
  const uses = [...within(bodyOf(test))].filter((one) => one.type === "identifier" && textOf(text, one) === name);
  const loop = loops.find((one) => namesIn(text, fieldOf(one, "left")).includes(name));
  const value = assigned(around, test, name);
  // If the value is used for anything else, another value would change what is tested.
  const bindings = loop || value ? 1 : 0;
  if (uses.length !== 1 + bindings) return null;
  if (loop) return column(rowsOf(around, fieldOf(loop, "right")), namesIn(text, fieldOf(loop, "left")), name);
  if (value) return [value];
  for (const node of within(root)) {
    if (node.type !== "decorated_definition" || fieldOf(node, "definition")?.from !== test.from) continue;
    for (const call of [...within(node)].filter((one) => one.type === "call" && one.from < test.from)) {
      if (!/parametrize$/.test(textOf(text, calleeOf(call) ?? call))) continue;
      const [names, cases] = argumentsOf(call);
      const given: string[] = names ? (textOf(text, names).match(/\w+/g) ?? []) : [];
      if (given.includes(name)) return column(rowsOf(around, cases), given, name);
    }
  }
  return null;
}

const namesIn = (text: string, node: SyntaxNode | undefined): string[] =>
  node ? [...within(node)].filter((one) => one.type === "identifier").map((one) => textOf(text, one)) : [];

/** The only value that a name ever gets. */
function assigned({ text }: Around, place: SyntaxNode, name: string): SyntaxNode | null {
  const found = [...within(place)].filter((node) => {
    const left = fieldOf(node, "left") ?? (node.type === "variable_declarator" ? fieldOf(node, "name") : undefined);
    return /^(assignment|augmented_assignment|assignment_expression|variable_declarator)$/.test(node.type) && left
      ? textOf(text, left) === name
      : false;
  });
  const [only] = found;
  const value = only && (fieldOf(only, "right") ?? fieldOf(only, "value"));
  return found.length === 1 && value && isWrittenOut(value) ? value : null;
}

/** The cases of a table that is written out, even under a name. */
function rowsOf(around: Around, node: SyntaxNode | undefined): SyntaxNode[] | null {
  if (!node) return null;
  if (node.type === "identifier") {
    const value = assigned(around, around.root, textOf(around.text, node));
    return value ? rowsOf(around, value) : null;
  }
  if (!/^(list|tuple|array)$/.test(node.type)) return null;
  const rows = node.children.filter((child) => child.named && child.type !== "comment");
  return rows.length > 0 ? rows : null;
}

function column(rows: SyntaxNode[] | null, names: string[], name: string): SyntaxNode[] | null {
  if (!rows) return null;
  const values = rows.map((row) => {
    if (names.length === 1 && row.type !== "call") return row;
    const cells = row.type === "call" ? argumentsOf(row) : row.children.filter((one) => one.named);
    return /^(tuple|list|array|call)$/.test(row.type) ? cells[names.indexOf(name)] : undefined;
  });
  const known = values.filter((value) => value !== undefined);
  return known.length === rows.length && known.every(isWrittenOut) ? known : null;
}
