import type { Grammar, SyntaxNode } from "../../syntax/parse.ts";

/** Gone before the program runs. */
const TYPES = new Set(["type_annotation", "type_parameters", "type_arguments"]);
/** Written or not, they say the same. */
const LAYOUT = new Set([";", "(", ")"]);
const ANNOTATED = new Set(["typed_parameter", "typed_default_parameter", "function_definition", "assignment"]);
/** Every character counts. */
const WHOLE = new Set(["string_content", "regex"]);
const CLOSING = new Set([")", "]", "}"]);

/**
 * What a part of a text does as far as its tree tells: its words in order and how they are nested, without comments,
 * docstrings, layout and annotations. `left` is a part that is left out.
 */
export function meaningOf(grammar: Grammar, node: SyntaxNode, text: string, left?: SyntaxNode): string {
  const words: string[] = [];
  const open: (SyntaxNode | string)[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") words.push(next);
    else if (next !== left && next.type !== "comment" && !TYPES.has(next.type))
      open.push(...inside(grammar, next, text));
  }
  return words.join(" ");
}

/** In the order in which a stack gives it back. */
function inside(grammar: Grammar, node: SyntaxNode, text: string): (SyntaxNode | string)[] {
  if (node.children.length === 0 || WHOLE.has(node.type)) return [wordOf(node, text)];
  const parts: (SyntaxNode | string)[] = [];
  let at = node.from;
  for (const [place, child] of node.children.entries()) {
    // A grammar may have no node for what stands between two others, such as the letters between two escapes.
    parts.push(...between(node, text.slice(at, child.from)));
    at = child.to;
    if (isLeftOut(grammar, node, place)) continue;
    parts.push(child);
  }
  parts.push(...between(node, text.slice(at, node.to)));
  const isPlain = node.type === "parenthesized_expression" || node.type === "typed_parameter";
  return (isPlain ? parts : [`<${kindOf(node)}`, ...parts, ">"]).reverse();
}

const between = ({ type }: SyntaxNode, text: string): string[] =>
  text === "" || (text.trim() === "" && type !== "template_string") ? [] : [JSON.stringify(text)];

function isLeftOut(grammar: Grammar, node: SyntaxNode, place: number): boolean {
  const child = node.children[place];
  if (!child) return true;
  if (child.type === ";" || (node.type === "parenthesized_expression" && LAYOUT.has(child.type))) return true;
  if (child.type === "," && CLOSING.has(node.children[place + 1]?.type ?? "")) return true;
  if (grammar !== "python") return false;
  if (ANNOTATED.has(node.type) && (child.type === "type" || child.type === "->")) return true;
  if ((node.type.startsWith("typed_") || node.type === "assignment") && child.type === ":") return true;
  const isText = child.type === "expression_statement" && child.children.every(({ type }) => type === "string");
  return isText && node.type === "block";
}

const kindOf = ({ type }: SyntaxNode): string => (type === "typed_default_parameter" ? "default_parameter" : type);

/** `'a'` and `"a"` are the same. */
function wordOf({ type, from, to }: SyntaxNode, text: string): string {
  const word = text.slice(from, to);
  if (WHOLE.has(type) || type === "string_fragment") return JSON.stringify(word);
  if (type === "string_start" || type === "string_end") return word.replace(/'''|"""|'/g, '"');
  return word === "'" ? '"' : word;
}
