import { textOf, within } from "../../../src/syntax/nodes.ts";
import { grammarOf, type SyntaxNode, SyntaxParsers } from "../../../src/syntax/parse.ts";

/** One token, replaced by another that means something else. */
export interface TokenEdit {
  /** Counted from 1. */
  line: number;
  before: string;
  after: string;
  text: string;
}

const OTHER: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "==": "!=",
  "!=": "==",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "+",
  "//": "*",
  "%": "+",
  "+=": "-=",
  "-=": "+=",
  and: "or",
  or: "and",
  "&&": "||",
  "||": "&&",
  is: "is not",
  in: "not in",
  True: "False",
  False: "True",
  true: "false",
  false: "true",
};
const PLACES =
  /^(binary_expression|comparison_operator|boolean_operator|binary_operator|augmented_assignment(_expression)?|assignment_statement)$/;
const parsers = new SyntaxParsers();

/** Every text that differs from this one in a token; only in these lines, where some are given. */
export async function tokenEdits(path: string, text: string, lines?: Set<number>): Promise<TokenEdit[]> {
  const grammar = grammarOf(path);
  if (grammar === null) return [];
  const { root, broken } = await parsers.parse(grammar, text);
  if (broken) return [];
  const edits: TokenEdit[] = [];
  for (const node of within(root)) {
    for (const child of node.children) {
      const after = otherThan(text, node, child);
      if (after === null || (lines && !lines.has(child.row + 1))) continue;
      const changed = text.slice(0, child.from) + after + text.slice(child.to);
      edits.push({ line: child.row + 1, before: textOf(text, child), after, text: changed });
    }
  }
  return edits;
}

function otherThan(text: string, parent: SyntaxNode, node: SyntaxNode): string | null {
  const word = textOf(text, node);
  if (/^(integer|int_literal|number)$/.test(node.type)) return /^\d{1,6}$/.test(word) ? String(Number(word) + 1) : null;
  if (/^(true|false)$/.test(node.type)) return OTHER[word] ?? null;
  if (node.children.length > 0 || !PLACES.test(parent.type)) return null;
  return OTHER[word] ?? null;
}

/** Spread over the file: neighbours often fail alike. */
export function fewOf<Item>(items: Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step)).slice(0, most);
}
