import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Grammar, SyntaxNode } from "../../syntax/parse.ts";

/** Statements that do nothing when the program comes to them, or that are only names for what stands inside. */
const WITHOUT_EFFECT = new Set([
  ...["pass_statement", "global_statement", "nonlocal_statement", "import_declaration", "package_clause"],
  ...["type_alias_declaration", "interface_declaration", "ambient_declaration", "type_declaration", "empty_statement"],
  ...["function_declaration", "generator_function_declaration", "method_declaration", "class_declaration"],
  ...["function_definition", "class_definition", "decorated_definition", "import_statement", "import_from_statement"],
  ...["future_import_statement", "export_statement", "statement_block", "labeled_statement", "type_alias_statement"],
  ...["method_definition", "parameter_declaration", "var_declaration", "const_declaration", "field_declaration"],
  ...["variadic_parameter_declaration", "type_parameter_declaration"],
]);

const STATEMENT = /(_statement|_declaration|_definition)$/;
const CLAUSE = new Set(["elif_clause", "public_field_definition", "field_definition"]);

/** Where another statement begins: the lines from there on are that one's. */
const BODY = new Set(["block", "statement_block", "class_body", "statement_list", "switch_body", "declaration_list"]);

/**
 * The lines of each statement that does something, its body apart: `if a:` over two lines is one range. A definition
 * itself, an import, a docstring and a type are none: the first two run with the module, whoever tests it.
 */
export function executableStatements(grammar: Grammar, root: SyntaxNode, text: string): LineRange[] {
  const ranges: LineRange[] = [];
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...node.children);
    if (!CLAUSE.has(node.type) && (!STATEMENT.test(node.type) || WITHOUT_EFFECT.has(node.type))) continue;
    if (node.type === "expression_statement" && node.children[0]?.type === "string") continue;
    if (grammar === "python" && isBareAnnotation(node)) continue;
    ranges.push({ from: node.row + 1, to: headEnd(node, text) });
  }
  return ranges.sort((a, b) => a.from - b.from || a.to - b.to);
}

/** `x: int` says something and does nothing. */
const isBareAnnotation = (node: SyntaxNode): boolean => {
  const only = node.type === "expression_statement" ? node.children[0] : undefined;
  return only?.type === "assignment" && !only.children.some(({ field }) => field === "right");
};

/** The last line before its body begins; of a statement without one, its own last line. */
function headEnd(node: SyntaxNode, text: string): number {
  const body = node.children.find(({ type }) => BODY.has(type) || STATEMENT.test(type));
  const head = text.slice(node.from, body ? body.from : node.to);
  return node.row + head.trimEnd().split("\n").length;
}
