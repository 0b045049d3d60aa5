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
  const words = [...within(is)].filter(({ children }) => children.length === 0);
  const said = new Set(words.map((node) => textOf(now.content, node)));
  const functions = [...within(was)].filter(({ type, named }) => FUNCTION.test(type) && named);
  const isInFunction = ({ from, to }: SyntaxNode) => functions.some((one) => one.from < from && to <= one.to);
  const isOwn = (word: string) =>
    !said.has(word) && !new RegExp(`\\b(global|nonlocal)\\b.*\\b${RegExp.escape(word)}\\b`).test(own);
  const nodes = new Set<SyntaxNode>();
  const names = new Set<string>();
  const others = new Set<string>();
  for (const node of within(was)) {
    const bound = namesBoundBy(node);
    const given = bound.length > 0 && isInFunction(node) ? bound.map((name) => textOf(old.content, name)) : [];
    if (given.length > 0 && given.every(isOwn)) {
      nodes.add(node);
      for (const name of given) names.add(name);
    } else {
      const target =
        given.length === 0 && !STATEMENT.test(node.type) ? (fieldOf(node, "left") ?? fieldOf(node, "name")) : null;
      if (target) others.add(textOf(old.content, target));
    }
  }
  return { nodes, names: names.difference(others) };
}

/** The names that a statement gives to plain values; none where it does anything else. */
function namesBoundBy(node: SyntaxNode): SyntaxNode[] {
  const [only, ...others] = node.children.filter(({ named }) => named);
  if (node.type === "expression_statement")
    return only?.type === "assignment" && others.length === 0 ? namesBoundBy(only) : [];
  if (node.type === "assignment") return boundBy(fieldOf(node, "left"), fieldOf(node, "right"));
  if (!DECLARES.test(node.type)) return [];
  const declared = node.children.filter(({ type }) => type === "variable_declarator");
  const names = declared.map((one) => boundBy(fieldOf(one, "name"), fieldOf(one, "value")));
  return names.every((one) => one.length > 0) ? names.flat() : [];
}

const boundBy = (name: SyntaxNode | undefined, value: SyntaxNode | undefined): SyntaxNode[] =>
  name?.type === "identifier" && (!value || [...within(value)].every((one) => !one.named || QUIET.test(one.type)))
    ? [name]
    : [];
