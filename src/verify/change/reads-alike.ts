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

/**
 * The first name or value of a Python file that no unit holds; null when there is none. Only the module of a `from`
 * stands outside of what it brings.
 */
export function firstLeftOut(root: SyntaxNode, units: readonly { start: number; end: number }[]): number | null {
  const modules: Span[] = [];
  const spans = [...units].sort((a, b) => a.start - b.start);
  let next = 0;
  let reach = 0;
  for (const node of within(root)) {
    if (node.field === "module_name") modules.push(node);
    if (!node.named || node.children.length > 0 || node === root || SAYS_NOTHING.has(node.type)) continue;
    for (; next < spans.length && (spans[next]?.start ?? 0) <= node.from; next += 1)
      reach = Math.max(reach, spans[next]?.end ?? 0);
    const module = modules.at(-1);
    if (node.from >= reach && !(module && module.from <= node.from && node.to <= module.to)) return node.from;
  }
  return null;
}

const SAYS_NOTHING = new Set(["comment", "line_continuation"]);

type Span = Pick<SyntaxNode, "from" | "to">;
