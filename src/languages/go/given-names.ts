import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

/** A name that something is given, where it is given, and its place among the names given at once. */
export interface Given {
  node: SyntaxNode;
  index: number;
}

/** Where the names of a file of Go get their meaning. */
export class GivenNames {
  readonly #text: string;
  readonly #parents = new Map<SyntaxNode, SyntaxNode>();

  constructor(text: string, root: SyntaxNode) {
    this.#text = text;
    for (const node of within(root)) for (const child of node.children) this.#parents.set(child, node);
  }

  parent(node: SyntaxNode): SyntaxNode | undefined {
    return this.#parents.get(node);
  }

  /** What gives a name its value, the nearest around it. */
  giver(name: SyntaxNode): SyntaxNode | null {
    const given = this.giving(name);
    if (!given) return null;
    if (given.node.type === "var_spec")
      return fieldOf(given.node, "type") ?? named(fieldOf(given.node, "value"))[0] ?? null;
    const values = named(fieldOf(given.node, "right"));
    return given.node.type === "short_var_declaration"
      ? ((values.length > 1 ? values[given.index] : values[0]) ?? null)
      : null;
  }

  /** The nearest declaration of a name around it. */
  giving(name: SyntaxNode): Given | null {
    const own = this.#textOf(name);
    let below = name;
    for (let at = this.#parents.get(name); at; below = at, at = this.#parents.get(at)) {
      for (const node of declarations(at, below)) {
        const names = /^(short_var_declaration|range_clause)$/.test(node.type)
          ? named(fieldOf(node, "left"))
          : node.children.filter((child) => child.field === "name");
        const index = names.findIndex((one) => this.#textOf(one) === own);
        if (index >= 0) return { node, index };
      }
    }
    return null;
  }

  /** The part of the text in which a declaration holds. */
  scopeOf(node: SyntaxNode): SyntaxNode {
    let at = this.#parents.get(node) ?? node;
    while (!/^(if_statement|for_statement|statement_list|source_file|func_literal)$/.test(at.type)) {
      const above = this.#parents.get(at);
      if (!above) return at;
      at = above;
    }
    return at;
  }

  #textOf(node: SyntaxNode | undefined): string {
    return node ? textOf(this.#text, node) : "";
  }
}

/** The expressions of a list, or the only one. */
export const named = (node: SyntaxNode | undefined): SyntaxNode[] =>
  node === undefined ? [] : node.type === "expression_list" ? node.children.filter((child) => child.named) : [node];

/** What gives names a meaning directly in this part, before `below`. */
function declarations(node: SyntaxNode, below: SyntaxNode): SyntaxNode[] {
  if (/^(func_literal|function_declaration)$/.test(node.type))
    return fieldOf(node, "parameters")?.children.filter((child) => child.type.endsWith("parameter_declaration")) ?? [];
  const isInitial = (child: SyntaxNode) => child.field === "initializer" || child.type === "range_clause";
  const own = /^(if_statement|for_statement|for_clause)$/.test(node.type)
    ? node.children.filter(isInitial)
    : /^(statement_list|source_file)$/.test(node.type)
      ? node.children.filter((child) => child.from <= below.from)
      : [];
  return own
    .flatMap((child) => (/^(var|const)_declaration$/.test(child.type) ? [...within(child)] : [child]))
    .filter(({ type }) => /^(short_var_declaration|range_clause|var_spec|const_spec)$/.test(type))
    .toReversed();
}
