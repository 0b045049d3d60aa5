import type { SyntaxNode } from "../syntax/parse.ts";

/** A node with the text it was read from. */
export interface Source {
  text: string;
}

export const textOf = ({ text }: Source, node: SyntaxNode): string => text.slice(node.from, node.to);

/** Its words without comments and layout, and without these nodes: two parts with equal words mean the same. */
export function wordsIn(source: Source, node: SyntaxNode, left: ReadonlySet<SyntaxNode> = new Set()): string[] {
  const words: string[] = [];
  const walk = (one: SyntaxNode) => {
    if (one.type === "comment" || left.has(one)) return;
    if (one.children.length === 0 || ATOM.test(one.type)) words.push(plainQuotes(textOf(source, one)));
    else for (const child of one.children) walk(child);
  };
  walk(node);
  return words;
}

/** Their text is more than their nodes. */
const ATOM = /^(template_string|string|format_specifier)$/;

/** `'a'` says what `"a"` says. */
const plainQuotes = (word: string): string => word.replace(/^'([^'"\\\n]*)'$/, '"$1"');

export const childOf = (node: SyntaxNode, field: string): SyntaxNode | undefined =>
  node.children.find((child) => child.field === field);

export const namedChildren = (node: SyntaxNode): SyntaxNode[] =>
  node.children.filter((child) => child.named && child.type !== "comment");

export function* nodesIn(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const child of node.children) yield* nodesIn(child);
}
