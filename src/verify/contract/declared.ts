import { fieldOf, textOf } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";

/**
 * A function by name, a method by `Class.method`; its parameters by name, or null where they cannot be told. A class whose
 * methods may stand elsewhere has `Class.*` as well.
 */
export type Declared = Map<string, string[] | null>;

const FUNCTIONS = new Set([
  "function_definition",
  "function_declaration",
  "generator_function_declaration",
  "method_definition",
]);
const VALUES = new Set(["arrow_function", "function_expression", "function"]);
const CLASSES = new Set(["class_definition", "class_declaration", "abstract_class_declaration"]);
/** What only wraps a definition. */
const WRAPPERS = new Set([
  "module",
  "program",
  "source_file",
  "block",
  "class_body",
  "decorated_definition",
  "export_statement",
  "lexical_declaration",
  "variable_declaration",
  "if_statement",
  "try_statement",
  "expression_statement",
]);

/** What a file defines at its top, and in the classes there. Null for a language that is not read. */
export async function declaredIn(parsers: SyntaxParsers, path: string, text: string): Promise<Declared | null> {
  const grammar = grammarOf(path);
  if (grammar === null || grammar === "go") return null;
  const { root } = await parsers.parse(grammar, text);
  const found: Declared = new Map();
  collect(root, text, "", found);
  return found;
}

function collect(node: SyntaxNode, text: string, owner: string, found: Declared): void {
  for (const child of node.children) {
    const name = nameOf(child, text);
    if (FUNCTIONS.has(child.type) && name !== null) found.set(owner + name, parametersOf(child, text, owner !== ""));
    else if (CLASSES.has(child.type) && name !== null) {
      found.set(name, null);
      if (child.children.some(({ type, field }) => field === "superclasses" || type === "class_heritage"))
        found.set(`${name}.*`, null);
      const body = fieldOf(child, "body");
      if (body) collect(body, text, `${name}.`, found);
    } else if (child.type === "variable_declarator" && name !== null) {
      const value = fieldOf(child, "value");
      found.set(name, value && VALUES.has(value.type) ? parametersOf(value, text, false) : null);
    } else if (child.type === "assignment" && child.children[0]?.type === "identifier") {
      found.set(textOf(text, child.children[0]), null);
    } else if (
      child.type === "import_statement" ||
      child.type === "import_from_statement" ||
      child.type === "export_clause"
    ) {
      // What is passed on from elsewhere is there as well.
      for (const word of textOf(text, child).match(/[A-Za-z_$][\w$]*/g) ?? []) {
        if (found.has(word)) continue;
        found.set(word, null).set(`${word}.*`, null);
      }
    } else if (WRAPPERS.has(child.type)) collect(child, text, owner, found);
  }
}

function nameOf(node: SyntaxNode, text: string): string | null {
  const name = fieldOf(node, "name");
  return name ? textOf(text, name) : null;
}

/** Names in order; null where one is taken apart or takes the rest. */
function parametersOf(node: SyntaxNode, text: string, isMethod: boolean): string[] | null {
  const list = fieldOf(node, "parameters") ?? fieldOf(node, "parameter");
  if (!list) return null;
  if (list.type === "identifier") return [textOf(text, list)];
  const names: string[] = [];
  for (const child of list.children.filter((one) => one.named && one.type !== "comment")) {
    const name = parameterName(child, text);
    if (name === null) return null;
    names.push(name);
  }
  return isMethod && (names[0] === "self" || names[0] === "cls") ? names.slice(1) : names;
}

function parameterName(node: SyntaxNode, text: string): string | null {
  if (node.type === "identifier") return textOf(text, node);
  if (/splat|rest|pattern$|separator/.test(node.type) && node.type !== "assignment_pattern") return null;
  const inner =
    fieldOf(node, "name") ??
    fieldOf(node, "pattern") ??
    fieldOf(node, "left") ??
    node.children.find(({ named }) => named);
  return inner?.type === "identifier" ? textOf(text, inner) : null;
}
