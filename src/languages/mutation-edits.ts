import type { SyntaxNode } from "../syntax/parse.ts";
import { childOf, type MutationEdit, nextNumber, operatorEdits, replace, textOf } from "./mutations.ts";

/* Changes that several languages have in common, each by the names its grammar uses. */

export function numberEdits(node: SyntaxNode, text: string): MutationEdit[] {
  const next = nextNumber(textOf(node, text));
  return next === null ? [] : [replace(node, "constant", next)];
}

/** What its operators can become. */
export const operatorsIn = (node: SyntaxNode, text: string): MutationEdit[] =>
  node.children
    .filter(({ field }) => field === "operator" || field === "operators")
    .flatMap((operator) => operatorEdits(operator, node, text));

/** What a statement is about: `x` of `return x`. */
export const operandOf = (node: SyntaxNode): SyntaxNode | undefined =>
  node.children.find(({ named, type }) => named && type !== "comment");

/** A loop that is never entered. The opposite would mostly never end. */
export const neverEntered = (condition: SyntaxNode | undefined, no: string): MutationEdit[] =>
  condition ? [replace(condition, "condition", no)] : [];

/** `!x` becomes `x`, also where it is written `not x`. */
export function withoutNot(node: SyntaxNode, text: string): MutationEdit[] {
  const operand = childOf(node, "argument") ?? childOf(node, "operand");
  return operand && /^(!|not\b)/.test(text.slice(node.from, node.from + 4))
    ? [replace(node, "condition", textOf(operand, text))]
    : [];
}

const COMPARISON = /^(===?|!==?|<|<=|>|>=)$/;

/**
 * A comparison is already reversed by its own operator, and `!x` becomes `x`. Doing it here again would repeat the
 * mutant.
 */
export function negated(condition: SyntaxNode | undefined, text: string): MutationEdit[] {
  if (!condition) return [];
  const operator = condition.children.find(({ field }) => field === "operator");
  const sign = operator === undefined ? "" : textOf(operator, text);
  if (condition.type === "binary_expression" && COMPARISON.test(sign)) return [];
  if (condition.type === "unary_expression" && sign === "!") return [];
  return [replace(condition, "condition", `!(${textOf(condition, text)})`)];
}
