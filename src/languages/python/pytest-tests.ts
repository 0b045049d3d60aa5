import { fieldOf, textOf } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import type { TestNode } from "../test-syntax.ts";

/** Statements that hold definitions of the module or the class they stand in. */
const HOLDS = /^(if_statement|elif_clause|else_clause|try_statement|with_statement|for_statement|block)$/;

/** As pytest collects them: functions `test*`, and methods `test*` of classes, by their names with the class before. */
export function pytestTests(text: string, block: SyntaxNode, prefix = ""): TestNode[] {
  return block.children.flatMap((child): TestNode[] => {
    if (HOLDS.test(child.type)) return pytestTests(text, child, prefix);
    const definition = child.type === "decorated_definition" ? fieldOf(child, "definition") : child;
    const label = definition && fieldOf(definition, "name");
    const body = definition && fieldOf(definition, "body");
    if (!definition || !label || !body) return [];
    const own = textOf(text, label);
    if (definition.type === "class_definition") return pytestTests(text, body, `${prefix}${own}::`);
    if (definition.type !== "function_definition" || !own.startsWith("test")) return [];
    return [{ name: prefix + own, node: child, body, label }];
  });
}
