import type { SyntaxNode } from "./parse.ts";

/** The node and everything below it, in the order of the text; without recursion, as trees may be deep. */
export function* within(node: SyntaxNode): Generator<SyntaxNode> {
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    for (let index = next.children.length - 1; index >= 0; index -= 1) {
      const child = next.children[index];
      if (child) open.push(child);
    }
  }
}

export const textOf = (text: string, node: SyntaxNode): string => text.slice(node.from, node.to);

export const fieldOf = (node: SyntaxNode, field: string): SyntaxNode | undefined =>
  node.children.find((child) => child.field === field);

export const fieldsOf = (node: SyntaxNode, field: string): SyntaxNode[] =>
  node.children.filter((child) => child.field === field);

/** What stands between the quotes, escapes as they are written; null where it is put together at run time. */
export function stringText(text: string, node: SyntaxNode): string | null {
  if (node.type !== "string" && node.type !== "template_string") return null;
  if (node.children.some((child) => child.type === "interpolation" || child.type === "template_substitution"))
    return null;
  const parts = node.children.filter(
    (child) => child.named && /^(string_content|string_fragment|escape_sequence)$/.test(child.type),
  );
  return parts.map((part) => textOf(text, part)).join("");
}

export interface Replacement {
  from: number;
  to: number;
  text: string;
}

/** The text with these pieces replaced; they may not overlap. */
export function replaceAll(text: string, replacements: Replacement[]): string {
  let done = "";
  let at = 0;
  for (const { from, to, text: put } of [...replacements].sort((a, b) => a.from - b.from)) {
    if (from < at) throw new Error("two replacements overlap");
    done += text.slice(at, from) + put;
    at = to;
  }
  return done + text.slice(at);
}
