import type { Grammar, SyntaxNode } from "../../syntax/parse.ts";
import { meaningOf } from "./meaning.ts";

/** A part of a file that is judged by itself: a function, a method, the head of a class, a statement of the module. */
export interface CodeUnit {
  /** `Cart.total`; of a statement of the module what it begins with. */
  name: string;
  kind: "function" | "statement" | "import";
  /** Counted from 1. */
  from: number;
  to: number;
  /** The same for two texts that do the same as far as their trees tell. */
  meaning: string;
}

const FUNCTIONS = new Set([
  ...["function_definition", "function_declaration", "generator_function_declaration", "method_definition"],
  ...["method_declaration"],
]);
const CLASSES = new Set(["class_definition", "class_declaration", "abstract_class_declaration"]);
const IMPORTS = new Set(["import_statement", "import_from_statement", "future_import_statement", "import_declaration"]);
/** Erased before the program runs, or only said to people. */
const NOTHING = new Set(["comment", "interface_declaration", "type_alias_declaration", "ambient_declaration", ";"]);

/** The parts of a file, in order. What does nothing (comments, docstrings, types) is none. */
export function codeUnits(grammar: Grammar, root: SyntaxNode, text: string): CodeUnit[] {
  const units: CodeUnit[] = [];
  const add = (node: SyntaxNode, kind: CodeUnit["kind"], name: string, left?: SyntaxNode) => {
    const to =
      node.row +
      text
        .slice(node.from, left ? left.from : node.to)
        .trimEnd()
        .split("\n").length;
    units.push({ name, kind, from: node.row + 1, to, meaning: meaningOf(grammar, node, text, left) });
  };
  const visit = (node: SyntaxNode, within: string) => {
    if (NOTHING.has(node.type) || isDocstring(node)) return;
    const definition = definitionIn(node);
    const name = `${within}${nameOf(definition, text)}`;
    const body = definition.children.find(({ field }) => field === "body");
    if (CLASSES.has(definition.type) && body) {
      add(node, "statement", `class ${name}`, body);
      for (const child of body.children.filter(({ named }) => named)) visit(child, `${name}.`);
    } else if (FUNCTIONS.has(definition.type) || isFunctionValue(definition)) add(node, "function", name);
    else if (IMPORTS.has(node.type)) add(node, "import", text.slice(node.from, node.to));
    else add(node, "statement", within + (text.slice(node.from, node.to).split("\n")[0] ?? "").trim().slice(0, 60));
  };
  for (const child of root.children) visit(child, "");
  return units;
}

/** What is decorated or exported. */
function definitionIn(node: SyntaxNode): SyntaxNode {
  if (node.type !== "decorated_definition" && node.type !== "export_statement") return node;
  return node.children.find(({ field }) => field === "definition" || field === "declaration") ?? node;
}

/** `const f = () => 1` is a function as well. */
const isFunctionValue = (node: SyntaxNode): boolean => {
  const [only, ...others] = node.children.filter(({ type }) => type === "variable_declarator");
  const value = only?.children.find(({ field }) => field === "value");
  return others.length === 0 && (value?.type === "arrow_function" || value?.type === "function_expression");
};

function nameOf(node: SyntaxNode, text: string): string {
  const receiver = node.children.find(({ field }) => field === "receiver");
  const owner = receiver ? (/(\w+)(\[[^\]]*\])?\s*\)$/.exec(text.slice(receiver.from, receiver.to))?.[1] ?? "") : "";
  const own = ownName(node, text);
  return owner === "" ? own : `${owner}.${own}`;
}

function ownName(node: SyntaxNode, text: string): string {
  const holder = node.children.find(({ type }) => type === "variable_declarator") ?? node;
  const name = holder.children.find(({ field }) => field === "name");
  return name ? text.slice(name.from, name.to) : "";
}

const isDocstring = (node: SyntaxNode): boolean =>
  node.type === "expression_statement" && node.children.every(({ type }) => type === "string");
