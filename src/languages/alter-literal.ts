import type { Replacement } from "../syntax/nodes.ts";
import type { SyntaxNode } from "../syntax/parse.ts";
import { childOf, namedChildren, nodesIn, type Source, textOf } from "./syntax-text.ts";

/** For Python, JavaScript and TypeScript: replaces each literal that an exact assertion compares with by another one. */
export function alterLiterals(text: string, test: SyntaxNode): Replacement[] {
  return expectedLiterals({ text }, test).map(({ from, to }) => ({ from, to, text: another(text.slice(from, to)) }));
}

const LITERAL = /^(integer|float|number|string|true|false|none|null)$/;
const EXACT_CALL = /^(assertEqual|equal|strictEqual|deepEqual|deepStrictEqual|toBe|toEqual|toStrictEqual|eq|eql)$/;

/** The values that assertions compare with, where they are literals. */
function expectedLiterals(source: Source, test: SyntaxNode): SyntaxNode[] {
  const found = new Set<SyntaxNode>();
  for (const node of nodesIn(test)) {
    if (node.type === "assert_statement") {
      const [claim] = namedChildren(node);
      const operators = claim?.children.filter((child) => !child.named).map((child) => textOf(source, child)) ?? [];
      if (claim?.type !== "comparison_operator" || operators.join() !== "==") continue;
      const literal = namedChildren(claim).find(isPlainLiteral(source));
      if (literal) found.add(literal);
    }
    if (node.type === "call" || node.type === "call_expression") {
      const callee = childOf(node, "function");
      const last = callee && (childOf(callee, "attribute") ?? childOf(callee, "property") ?? callee);
      const isExact = last && EXACT_CALL.test(textOf(source, last)) && !/\.not\./.test(textOf(source, callee));
      const given = isExact ? namedChildren(childOf(node, "arguments") ?? node) : [];
      const literal = given.slice(0, 2).find(isPlainLiteral(source));
      if (literal) found.add(literal);
    }
  }
  return [...found];
}

/** No prefix, no computed parts, one line. */
const isPlainLiteral =
  (source: Source) =>
  ({ type, from, to }: SyntaxNode): boolean =>
    LITERAL.test(type) && /^(?:"[^"\\\n]*"|'[^'\\\n]*'|[\d.]+|[A-Za-z]+)$/.test(source.text.slice(from, to));

function another(literal: string): string {
  if (/^["']/.test(literal)) return `${literal.slice(0, -1)}~${literal.slice(-1)}`;
  if (/^\d/.test(literal)) return `${literal}7`;
  return /^(true|false|null)$/.test(literal) ? '"~"' : "'~'";
}
