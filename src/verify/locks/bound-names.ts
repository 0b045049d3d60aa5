import { namedChildren, wordsIn } from "../../languages/syntax-text.ts";
import { fieldOf, fieldsOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

/** What a statement says, and the names it gives to others. */
export interface Bound {
  names: string[];
  words: string;
}

const DEFINITION = /^(function|class|method|type|generator_function)_(definition|declaration|spec)$/;
const IDENTIFIER = /^(identifier|shorthand_property_identifier_pattern|type_identifier|package_identifier)$/;

/**
 * A statement of a file, without some nodes of it; one that takes several names from elsewhere is one for each name, so
 * that a name more does not concern those who use the others. What says nothing (punctuation, a docstring) is none.
 */
export function boundIn(text: string, node: SyntaxNode, left: ReadonlySet<SyntaxNode>): Bound[] {
  const source = { text };
  if (node.type === "comment" || isDocstring(node)) return [];
  const taken = takenNames(node);
  if (taken.length > 0) {
    const from = wordsIn(source, node, new Set(taken)).filter((word) => !/^[,()]$/.test(word));
    const beside = node.type === "import_statement" ? from.slice(1, from.indexOf("from")) : [];
    return taken.map((one) => ({
      names: [...new Set([...lastNames(text, one), ...beside.filter((word) => /^[\w$]+$/.test(word))])],
      words: [...wordsIn(source, one), "of", ...from].join(" "),
    }));
  }
  const all = wordsIn(source, node, left);
  // What separates tests from each other is no part of what stands around them.
  const holdsTests = [...within(node)].some((one) => left.has(one));
  const words = holdsTests ? all.filter((word) => !/^[;,]?$/.test(word)) : all;
  if (words.every((word) => word === ";")) return [];
  return [{ names: [...new Set(namesIn(text, node, left))], words: words.join(" ") }];
}

/** The single names of an import, or of `const { a, b } = require("…")`. */
export function takenNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === "import_from_statement" || node.type === "import_statement") {
    const clause = [...within(node)].filter(({ type }) => type === "import_specifier");
    return clause.length > 0 ? clause : fieldsOf(node, "name");
  }
  if (node.type === "import_declaration") return [...within(node)].filter(({ type }) => type === "import_spec");
  const [declarator, ...others] = namedChildren(node).filter(({ type }) => type === "variable_declarator");
  const pattern = declarator && others.length === 0 ? fieldOf(declarator, "name") : undefined;
  return pattern?.type === "object_pattern" ? namedChildren(pattern) : [];
}

/** As the file calls it; `import a.b` gives `a`, and in Go `"x/b"` gives `b`. */
function lastNames(text: string, node: SyntaxNode): string[] {
  const alias = fieldOf(node, "alias") ?? fieldOf(node, "value") ?? fieldOf(node, "name") ?? node;
  const parts = textOf(text, alias)
    .split(/[./"]/)
    .filter((part) => part !== "");
  return [parts[0] ?? "", parts.at(-1) ?? ""];
}

/** Functions, classes and what is assigned; not what is named inside of a function. */
function namesIn(text: string, node: SyntaxNode, left: ReadonlySet<SyntaxNode>): string[] {
  if (left.has(node)) return [];
  if (DEFINITION.test(node.type)) {
    const name = fieldOf(node, "name");
    return name ? [textOf(text, name)] : [];
  }
  if (/^(arrow_function|function_expression|lambda|func_literal|arguments|argument_list)$/.test(node.type)) return [];
  const given = [fieldOf(node, "left"), node.type === "variable_declarator" ? fieldOf(node, "name") : undefined];
  const spec = /^(var|const)_spec$/.test(node.type) ? fieldsOf(node, "name") : [];
  const own = [...given, ...spec].flatMap((target) => (target ? identifiers(text, target) : []));
  return [...own, ...node.children.flatMap((child) => namesIn(text, child, left))];
}

const identifiers = (text: string, node: SyntaxNode): string[] =>
  [...within(node)].filter(({ type }) => IDENTIFIER.test(type)).map((one) => textOf(text, one));

const isDocstring = (node: SyntaxNode): boolean =>
  node.type === "expression_statement" && namedChildren(node).every(({ type }) => type === "string");
