import type { SyntaxNode } from "../syntax/parse.ts";
import { otherPatterns } from "./mutate-pattern.ts";
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

/**
 * Lines tell whether a statement runs, but not for what stands on the line of its own head: it must be missed where
 * nothing in it can be changed.
 */
export function besideHead(node: SyntaxNode | undefined, text: string, failing: string): MutationEdit[] {
  if (!node) return [];
  const before = text.slice(text.lastIndexOf("\n", node.from - 1) + 1, node.from);
  return before.trim() === "" ? [] : [{ ...replace(node, "condition", failing), unless: node }];
}

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

/** `-x` becomes `x`, `+x` becomes `-x`: a sign that nobody misses was not needed. */
export function withoutSign(node: SyntaxNode, text: string): MutationEdit[] {
  const operand = childOf(node, "argument") ?? childOf(node, "operand");
  const sign = text[node.from];
  if (!operand || (sign !== "-" && sign !== "~" && sign !== "+" && sign !== "^")) return [];
  return [replace(node, "arithmetic", sign === "+" ? `-${textOf(operand, text)}` : textOf(operand, text))];
}

/** Each of two parts of which one is taken: where nothing in it can be changed, the other is taken instead. */
export const exchanged = (first: SyntaxNode, second: SyntaxNode, shown: SyntaxNode, text: string): MutationEdit[] => [
  { ...replace(first, "condition", textOf(second, text), shown), unless: first },
  { ...replace(second, "condition", textOf(first, text), shown), unless: second },
];

/** `a and b` becomes `a` where nothing in `b` can be changed. */
export function withoutOperand(node: SyntaxNode, text: string): MutationEdit[] {
  const [left, right] = [childOf(node, "left"), childOf(node, "right")];
  if (!left || !right) return [];
  return [
    { ...replace(node, "condition", textOf(right, text)), unless: left },
    { ...replace(node, "condition", textOf(left, text)), unless: right },
  ];
}

/** Each part of a list by itself, with the comma that belongs to it, where nothing in it can be changed. */
export function withoutEntries(node: SyntaxNode, isEntry: (child: SyntaxNode) => boolean): MutationEdit[] {
  return node.children.flatMap((child, index): MutationEdit[] => {
    if (!child.named || child.type === "comment" || !isEntry(child)) return [];
    const [before, after] = [node.children[index - 1], node.children[index + 1]];
    const from = after?.type !== "," && before?.type === "," ? before.from : child.from;
    const to = after?.type === "," ? after.to : child.to;
    return [{ operator: "constant", from, to, replacement: "", shown: node, unless: child }];
  });
}

/** One letter or digit becomes another one; escapes and what stands for a value stay what they are. */
function otherLetter(text: string, from: number, to: number): { from: number; to: number; text: string } | null {
  const content = text.slice(from, to);
  const letter =
    /(?<![\\%{$&:\w.])[A-Za-z0-9](?![}])/.exec(content) ?? /(?<![\\%{$&][\w.]{0,6})[A-Za-z0-9]/.exec(content);
  if (!letter) return null;
  const [was] = letter;
  const next = /[zZ9]/.test(was) ? ({ z: "a", Z: "A" }[was] ?? "0") : String.fromCharCode(was.charCodeAt(0) + 1);
  const at = from + letter.index;
  return { from: at, to: at + 1, text: next };
}

/** A text without one of its letters is another text; so is none at all. */
export function letterEdits(node: SyntaxNode, from: number, to: number, text: string): MutationEdit[] {
  const other = otherLetter(text, from, to);
  return other ? [{ operator: "constant", from: other.from, to: other.to, replacement: other.text, shown: node }] : [];
}

/** Of a regular expression that stands between these places. */
export const patternEdits = (node: SyntaxNode, from: number, to: number, text: string): MutationEdit[] =>
  otherPatterns(text.slice(from, to)).map((replacement) => ({
    operator: "constant",
    from,
    to,
    replacement,
    shown: node,
  }));
