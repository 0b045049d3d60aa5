import { wordsIn } from "../../languages/syntax-text.ts";
import { within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import type { Versions } from "./exchange-nodes.ts";

export interface Span {
  from: number;
  to: number;
}

/** A name, or a name and what is asked of it, says too little to be known again. */
const FEWEST_WORDS = 5;
/** What computes a value. What acts elsewhere may act otherwise. */
const EXPRESSION =
  /^(call|call_expression|conditional_expression|ternary_expression|boolean_operator|binary_operator|binary_expression|comparison_operator|not_operator|unary_expression|subscript|subscript_expression)$/;

/**
 * The largest expressions of the new part that the old part says word for word: that one stands elsewhere now is a piece
 * of the change, what it is made of is not.
 */
export function movedWithin({ old, now }: Versions, was: SyntaxNode, is: SyntaxNode): Span[] {
  const said = (text: string, node: SyntaxNode) => wordsIn({ text }, node);
  const key = (words: readonly string[]) => words.join("\0");
  const expressions = [...within(was)].filter(({ type }) => EXPRESSION.test(type));
  const known = new Set(expressions.map((node) => key(said(old.content, node))));
  const found: Span[] = [];
  const look = (node: SyntaxNode) => {
    const words = EXPRESSION.test(node.type) ? said(now.content, node) : [];
    if (words.length >= FEWEST_WORDS && known.has(key(words))) found.push({ from: node.from, to: node.to });
    else for (const child of node.children) look(child);
  };
  look(is);
  return found;
}
