import type { SyntaxNode } from "../../../syntax/parse.ts";

export function child(node: SyntaxNode, field: string): SyntaxNode | undefined {
  // Asked several times of every node: a plain loop is worth its lines.
  for (const one of node.children) if (one.field === field) return one;
  return undefined;
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const one of node.children) if (one.named && one.type !== "comment") found.push(one);
  return found;
}
