import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import type { Versions } from "./exchange-nodes.ts";

/** What is worked out without asking anything of anybody. */
const QUIET =
  /^(identifier|integer|float|number|true|false|none|null|undefined|list|tuple|dictionary|set|pair|array|object|unary_operator|unary_expression|string|string_\w+|escape_sequence)$/;
const FUNCTION = /function|method|lambda/;
const STATEMENT = /_(statement|declaration)$/;
const DECLARES = /^(lexical_declaration|variable_declaration)$/;

/**
 * The statements of the old part that only give names of a function's own a plain value, where the new part never says
 * these names (`total = 0` before a loop that became `sum(…)`): nothing happens where they come back. And those of the
 * names that never stood for anything else.
 */
export function idleOf(
  { old, now }: Versions,
  was: SyntaxNode,
  is: SyntaxNode,
): { nodes: ReadonlySet<SyntaxNode>; names: ReadonlySet<string> } {
  const own = textOf(old.content, was);
  const said = new Set([...within(is)].map((node) => textOf(now.content, node)));
  const isOwn = (word: string) =>
    !said.has(word) && !new RegExp(`\\b(global|nonlocal)\\b.*\\b${RegExp.escape(word)}\\b`).test(own);
  const nodes = new Set<SyntaxNode>();
  const names = new Set<string>();
  const others = new Set<string>();
  for (const node of within(was)) {
    const words = isInFunction(was, node) ? namesBoundBy(node).map((name) => textOf(old.content, name)) : [];
    if (words.length > 0 && words.every(isOwn)) {
      nodes.add(node);
      for (const word of words) names.add(word);
    } else {
      const target =
        words.length === 0 && !STATEMENT.test(node.type) ? (fieldOf(node, "left") ?? fieldOf(node, "name")) : null;
      if (target) others.add(textOf(old.content, target));
    }
  }
  return { nodes, names: names.difference(others) };
}

const isInFunction = (unit: SyntaxNode, { from, to }: SyntaxNode): boolean =>
  [...within(unit)].some((one) => FUNCTION.test(one.type) && one.named && one.from < from && to <= one.to);

/** The names that a statement gives to plain values; none where it does anything else. */
function namesBoundBy(node: SyntaxNode): SyntaxNode[] {
  const [only, ...others] = node.children.filter(({ named }) => named);
  if (node.type === "expression_statement")
    return only?.type === "assignment" && others.length === 0 ? namesBoundBy(only) : [];
  if (node.type === "assignment") return bound(fieldOf(node, "left"), fieldOf(node, "right"));
  if (!DECLARES.test(node.type)) return [];
  const declared = node.children.filter(({ type }) => type === "variable_declarator");
  const names = declared.map((one) => bound(fieldOf(one, "name"), fieldOf(one, "value")));
  return names.every((one) => one.length > 0) ? names.flat() : [];
}

const bound = (name: SyntaxNode | undefined, value: SyntaxNode | undefined): SyntaxNode[] =>
  name?.type === "identifier" && (!value || [...within(value)].every((one) => !one.named || QUIET.test(one.type)))
    ? [name]
    : [];
