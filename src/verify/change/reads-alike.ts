import { within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

/**
 * The first place where the interpreter begins a statement and our grammar begins nothing: there it sees a comment or a
 * text. Null when there is none. By this two readers that differ in a way nobody thought of are found, too.
 */
export function firstDifference(root: SyntaxNode, statements: readonly number[]): number | null {
  const begins = new Set<number>();
  for (const node of within(root)) if (node.type !== "comment" && node.type !== "html_comment") begins.add(node.from);
  return statements.find((place) => !begins.has(place)) ?? null;
}
