import type { SyntaxNode } from "../syntax/parse.ts";

const FUNCTION =
  /^(function_definition|lambda|arrow_function|function_expression|function_declaration|method_definition|func_literal)$/;

/** Where a test may first come to its end before its last line: nothing behind it surely runs. */
export function earlyReturn(body: SyntaxNode): number {
  let first = Number.POSITIVE_INFINITY;
  const look = (node: SyntaxNode): void => {
    for (const child of node.children) {
      if (child.type === "return_statement") first = Math.min(first, child.to);
      else if (!FUNCTION.test(child.type)) look(child);
    }
  };
  look(body);
  return first;
}
