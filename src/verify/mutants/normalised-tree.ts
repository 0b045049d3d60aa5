import type { SyntaxNode } from "../../syntax/parse.ts";

/** Of these only what is inside has a meaning, or nothing at all. */
const WITHOUT_MEANING = new Set(["parenthesized_expression", "comment", "line_continuation", "(", ")", ";", ","]);

/**
 * What a text means as far as its tree tells: kinds and words in order, without comments, parentheses around an
 * expression, and the way a number is written. Two texts with the same one do the same.
 */
export function normalisedTree(root: SyntaxNode, text: string): string {
  const words: string[] = [];
  const open: (SyntaxNode | string)[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") {
      words.push(next);
      continue;
    }
    if (next.type === "comment") continue;
    const counts = !WITHOUT_MEANING.has(next.type);
    if (next.children.length === 0) {
      if (counts) words.push(next.named ? word(next, text) : next.type);
      continue;
    }
    if (counts) words.push(`<${next.type}`);
    if (counts) open.push(">");
    for (const child of next.children.toReversed()) open.push(child);
  }
  return words.join(" ");
}

const WHOLE_NUMBER = new Set(["integer", "int_literal", "number"]);

/** Strings and names are what they are; of whole numbers only the value counts. */
function word({ type, from, to }: SyntaxNode, text: string): string {
  const written = text.slice(from, to);
  const digits = written.replaceAll("_", "");
  return WHOLE_NUMBER.has(type) && /^(\d+|0[xX][\da-fA-F]+)$/.test(digits) ? `${type} ${BigInt(digits)}` : written;
}
