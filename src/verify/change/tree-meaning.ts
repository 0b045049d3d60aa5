import type { SyntaxNode } from "../../syntax/parse.ts";

/** Gone before the program runs. */
const TYPES = new Set(["type_annotation", "type_parameters", "type_arguments"]);
/** Every character counts. */
const WHOLE = new Set(["string_content", "regex", "template_string", "raw_string_literal", "jsx_text"]);
const CLOSING = new Set([")", "]", "}"]);

/**
 * What a part of a text says as far as its tree tells: its words in order and how they are nested, without comments and
 * layout. For languages and dialects of which no interpreter can be asked. `left` is a part that is left out.
 */
export function treeMeaning(node: SyntaxNode, text: string, types: boolean, left?: SyntaxNode): string {
  const words: string[] = [];
  const open: (SyntaxNode | string)[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") words.push(next);
    else if (next === left || next.type === "comment" || (!types && TYPES.has(next.type))) continue;
    else open.push(...inside(next, text));
  }
  return words.join(" ");
}

/** In the order in which a stack gives it back. */
function inside(node: SyntaxNode, text: string): (SyntaxNode | string)[] {
  if (node.children.length === 0 || WHOLE.has(node.type)) return [JSON.stringify(text.slice(node.from, node.to))];
  const parts: (SyntaxNode | string)[] = [];
  let at = node.from;
  for (const [place, child] of node.children.entries()) {
    // A grammar may have no node for what stands between two others, such as the letters between two escapes.
    parts.push(...between(text.slice(at, child.from)));
    at = child.to;
    const next = node.children[place + 1]?.type ?? "";
    if (child.type !== ";" && !(child.type === "," && CLOSING.has(next))) parts.push(child);
  }
  parts.push(...between(text.slice(at, node.to)));
  return [`<${node.type}`, ...parts, ">"].reverse();
}

const between = (text: string): string[] => (text.trim() === "" ? [] : [JSON.stringify(text)]);
