import { fieldOf, fieldsOf, type Replacement, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import { checkedIn } from "./claims.ts";
import { goString } from "./uses.ts";

/**
 * Edits that make a Go test expect another value and change nothing else. Null if no expected value is written out,
 * here or in the table that the test iterates over.
 */
export function goDecoy(text: string, test: SyntaxNode, word: string): Replacement[] | null {
  for (const { sides, loops } of comparisons(text, test)) {
    const places = sides.map((side) => valuesOf(text, test, side, loops));
    const [expected, other] = places.filter((place) => place !== null);
    if (!expected || other || expected.length === 0) continue;
    const edits = expected.map((value) => anotherValue(text, value, word));
    if (edits.every((edit) => edit !== null)) return edits;
  }
  return null;
}

interface Comparison {
  sides: SyntaxNode[];
  loops: SyntaxNode[];
}

const SOMETIMES =
  /^(if_statement|expression_switch_statement|type_switch_statement|select_statement|go_statement|defer_statement)$/;

function comparisons(text: string, test: SyntaxNode): Comparison[] {
  const found: Comparison[] = [];
  const look = (node: SyntaxNode, loops: SyntaxNode[]): void => {
    for (const child of node.children) {
      const checked = checkedIn(text, child);
      if (checked) found.push(...claimed(text, checked.condition).map((sides) => ({ sides, loops })));
      if (checked || SOMETIMES.test(child.type)) continue;
      if (child.type === "func_literal" && !isSubtest(text, node)) continue;
      look(child, child.type === "for_statement" ? [...loops, child] : loops);
    }
  };
  look(test, []);
  return found;
}

/** `t.Run("…", func(t *testing.T) { … })` runs its function at once. */
const isSubtest = (text: string, list: SyntaxNode): boolean => /\.Run\s*$/.test(text.slice(0, list.from));

/**
 * What makes a test red: `got != want`, even as a part of an `
 * `, or `!reflect.DeepEqual(got, want)`.
 */
function claimed(text: string, condition: SyntaxNode): SyntaxNode[][] {
  const [left, right] = [fieldOf(condition, "left"), fieldOf(condition, "right")];
  const operator = fieldOf(condition, "operator")?.type;
  if (condition.type === "binary_expression" && left && right) {
    if (operator === "||") return [...claimed(text, left), ...claimed(text, right)];
    return operator === "!=" ? [[left, right]] : [];
  }
  const operand = condition.type === "unary_expression" && operator === "!" ? fieldOf(condition, "operand") : undefined;
  if (operand?.type !== "call_expression") return [];
  const isExact = /\.(DeepEqual|Equal)$/.test(textOf(text, calleeOf(operand) ?? operand));
  const given = argumentsOf(operand);
  return isExact && given.length === 2 ? [given] : [];
}

const LITERAL = /^(int_literal|float_literal|interpreted_string_literal|true|false)$/;

/** Nothing in it is computed. */
function isWrittenOut(node: SyntaxNode): boolean {
  if (LITERAL.test(node.type)) return true;
  if (node.type === "unary_expression") return fieldOf(node, "operator")?.type === "-" && isWrittenOut(last(node));
  if (
    node.type !== "composite_literal" &&
    !/^literal_(value|element)$/.test(node.type) &&
    node.type !== "keyed_element"
  )
    return false;
  return partsOf(node).length > 0 && partsOf(node).every(isWrittenOut);
}

const last = (node: SyntaxNode): SyntaxNode => node.children.at(-1) ?? node;

/** The values in a composite literal, without type and keys. */
function partsOf(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "composite_literal") return [fieldOf(node, "body") ?? []].flat().flatMap(partsOf);
  if (node.type === "keyed_element") return [fieldOf(node, "value") ?? []].flat();
  return node.children.filter((child) => child.named && child.type !== "comment");
}

function valuesOf(text: string, test: SyntaxNode, side: SyntaxNode, loops: SyntaxNode[]): SyntaxNode[] | null {
  if (isWrittenOut(side)) return [side];
  if (side.type === "identifier") {
    const value = assigned(text, test, textOf(text, side));
    const isOnlyExpected = uses(text, test, textOf(text, side)) === 0;
    return value && isOnlyExpected && isWrittenOut(value) ? [value] : null;
  }
  const row = side.type === "selector_expression" ? fieldOf(side, "operand") : undefined;
  const field = fieldOf(side, "field");
  if (row?.type !== "identifier" || !field || uses(text, test, textOf(text, side)) > 0) return null;
  const loop = loops.find((one) => rowName(text, one) === textOf(text, row));
  const table = loop && tableOf(text, test, loop);
  return table ? column(text, table, textOf(text, field)) : null;
}

/**
 * How often it is used elsewhere than in a failing condition or where it gets its value. There another value would
 * change the test.
 */
function uses(text: string, test: SyntaxNode, written: string): number {
  let count = 0;
  const look = (node: SyntaxNode): void => {
    if (checkedIn(text, node)) {
      const first = fieldOf(node, "initializer");
      if (first) look(first);
      return;
    }
    if (/^(identifier|selector_expression)$/.test(node.type) && textOf(text, node) === written) count += 1;
    for (const child of node.children)
      if (!(node.type === "short_var_declaration" && child.field === "left")) look(child);
  };
  look(test);
  return count;
}

function assigned(text: string, place: SyntaxNode, name: string): SyntaxNode | null {
  const found = [...within(place)].flatMap((node) => {
    if (node.type !== "short_var_declaration" && node.type !== "assignment_statement") return [];
    const [left, more] = named(fieldOf(node, "left"));
    const [right] = named(fieldOf(node, "right"));
    return left && right && !more && textOf(text, left) === name ? [right] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

const named = (node: SyntaxNode | undefined): SyntaxNode[] => node?.children.filter((child) => child.named) ?? [];

/** `c` of `for _, c := range cases`. */
function rowName(text: string, loop: SyntaxNode): string | null {
  const clause = loop.children.find((child) => child.type === "range_clause");
  const row = clause ? named(fieldOf(clause, "left"))[1] : undefined;
  return row ? textOf(text, row) : null;
}

function tableOf(text: string, test: SyntaxNode, loop: SyntaxNode): SyntaxNode | null {
  const clause = loop.children.find((child) => child.type === "range_clause");
  const right = clause && fieldOf(clause, "right");
  const table = right?.type === "identifier" ? assigned(text, test, textOf(text, right)) : right;
  return table?.type === "composite_literal" ? table : null;
}

/** The values of one field in every row; null if a row omits it. */
function column(text: string, table: SyntaxNode, field: string): SyntaxNode[] | null {
  const type = fieldOf(table, "type");
  const fields = [...(type ? within(type) : [])]
    .filter((node) => node.type === "field_declaration")
    .flatMap((node) => fieldsOf(node, "name").map((name) => textOf(text, name)));
  const rows = partsOf(table).map((row) => (row.type === "literal_element" ? last(row) : row));
  const values = rows.flatMap((row) => {
    const cells = named(row).filter((cell) => cell.type !== "comment");
    const keyed = cells.find((cell) => {
      const key = cell.type === "keyed_element" ? fieldOf(cell, "key") : undefined;
      return key && textOf(text, key) === field;
    });
    const cell = keyed
      ? fieldOf(keyed, "value")
      : cells[0]?.type === "keyed_element"
        ? undefined
        : cells[fields.indexOf(field)];
    return cell && isWrittenOut(cell) ? [cell] : [];
  });
  return values.length === rows.length ? values : null;
}

/** Another value of the same type that always fits into it. */
function anotherValue(text: string, node: SyntaxNode, word: string): Replacement | null {
  const own = textOf(text, node);
  const put = (code: string): Replacement => ({ from: node.from, to: node.to, text: code });
  if (node.type === "true" || node.type === "false") return put(node.type === "true" ? "false" : "true");
  if (node.type === "int_literal" || node.type === "float_literal") {
    const whole = /^\d+/.exec(own)?.[0];
    if (whole === undefined || /^0\w/.test(own)) return null;
    const less = whole === "0" ? 1n : BigInt(whole) === 0n ? 1n : BigInt(`0x${word}`) % BigInt(whole);
    return put(`${less}${own.slice(whole.length)}`);
  }
  const said = goString(text, node);
  if (said !== null) {
    // Only up to the first escape: inside an escape a letter means something else.
    const at = /[a-zA-Z0-9](?=[^a-zA-Z0-9]*$)/.exec(said.split("\\")[0] ?? "")?.index;
    const letter = String.fromCharCode(97 + (Number.parseInt(word.slice(0, 4), 16) % 26));
    if (at === undefined) return { from: node.from + 1, to: node.from + 1, text: letter };
    const from = node.from + 1 + at;
    return { from, to: from + 1, text: letter === said[at] ? (letter === "q" ? "w" : "q") : letter };
  }
  for (const part of node.type === "unary_expression" ? [last(node)] : partsOf(node)) {
    const found = anotherValue(text, part, word);
    if (found) return found;
  }
  return null;
}
