import type { CompiledUnit } from "../../languages/compiled-unit.ts";
import { fieldOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { treeMeaning } from "./tree-meaning.ts";

const FUNCTIONS = new Set([
  ...["function_declaration", "generator_function_declaration", "method_definition", "method_declaration"],
]);
const CLASSES = new Set(["class_declaration", "abstract_class_declaration"]);
const IMPORTS = new Set(["import_statement", "import_declaration"]);
/** Erased before the program runs. */
const TYPES_ONLY = new Set(["interface_declaration", "type_alias_declaration", "ambient_declaration"]);
/** Go's tools read these. */
const DIRECTIVE = /^\/\/(go:|export |line |\s*\+build)/;

/** The units of a file by our grammar alone: of Go, and of what only a build tool can read (JSX, decorators). */
export function grammarUnits(root: SyntaxNode, text: string): CompiledUnit[] {
  const units: CompiledUnit[] = [];
  // What compiles decorators may hand the types beside them on.
  let isDecorated = false;
  const add = (node: SyntaxNode, kind: CompiledUnit["kind"], name: string, left?: SyntaxNode, binds = [name]) => {
    const end = node.from + text.slice(node.from, left ? left.from : node.to).trimEnd().length;
    const from = node.row + 1;
    const to = from + text.slice(node.from, end).split("\n").length - 1;
    const code = treeMeaning(node, text, true, left);
    const plain = TYPES_ONLY.has(node.type)
      ? ""
      : isDecorated
        ? outside(node, text)
        : treeMeaning(node, text, false, left);
    const acts = kind === "statement" || kind === "class";
    units.push({ name, kind, from, to, start: node.from, end, code, plain, binds, reads: [], acts });
  };
  const visit = (node: SyntaxNode, outer: string) => {
    const said = text.slice(node.from, node.to);
    if (node.type === ";" || node.type === "\n" || said.trim() === "") return;
    if (node.type === "comment") {
      if (DIRECTIVE.test(said)) units.push(directive(node, said));
      return;
    }
    const brought = broughtBy(node);
    if (brought.length > 0) {
      // Go compiles no import that nothing says, but for those that are loaded for their effect.
      for (const one of brought) {
        const as = importedAs(one, text);
        add(
          one,
          as === null ? "statement" : "import",
          `import ${text.slice(one.from, one.to)}`,
          undefined,
          as ? [as] : [],
        );
      }
      return;
    }
    const definition = definitionIn(node);
    const name = `${outer}${nameOf(definition, text)}`;
    const body = definition.children.find(({ field }) => field === "body");
    if (CLASSES.has(definition.type) && body) {
      add(node, "class", name, body);
      const around = isDecorated;
      isDecorated = [...within(node)].some(({ type }) => type === "decorator");
      for (const child of body.children.filter(({ named }) => named)) visit(child, `${name}.`);
      isDecorated = around;
    } else if (FUNCTIONS.has(definition.type) || isFunctionValue(definition)) add(node, "function", name);
    else
      add(
        node,
        IMPORTS.has(node.type) ? "import" : "statement",
        outer + firstLine(said),
        undefined,
        boundBy(node, text),
      );
  };
  for (const child of root.children) visit(child, "");
  return units;
}

/** With the types of its head; in its body they are gone. */
function outside(node: SyntaxNode, text: string): string {
  const body = fieldOf(node, "body");
  const head = treeMeaning(node, text, true, body);
  return body ? `${head} ${treeMeaning(body, text, false)}` : head;
}

function directive(node: SyntaxNode, said: string): CompiledUnit {
  const [from, name] = [node.row + 1, firstLine(said)];
  const place = { from, to: from, start: node.from, end: node.to };
  return { name, kind: "statement", ...place, code: said.trim(), plain: said.trim(), binds: [], reads: [], acts: true };
}

/** The single packages of an import of Go. */
const broughtBy = (node: SyntaxNode): SyntaxNode[] =>
  node.type === "import_declaration" ? [...within(node)].filter(({ type }) => type === "import_spec") : [];

/** What the file calls it; null where it is loaded for its effect, or for all of its names. */
function importedAs(spec: SyntaxNode, text: string): string | null {
  const [alias, path] = [fieldOf(spec, "name"), fieldOf(spec, "path")];
  if (alias) return alias.type === "package_identifier" ? text.slice(alias.from, alias.to) : null;
  const parts = path ? text.slice(path.from + 1, path.to - 1).split("/") : [];
  return parts.findLast((part) => !/^v\d+$/.test(part)) ?? null;
}

const SPECS = /^(type_spec|type_alias|const_spec|var_spec|variable_declarator)$/;

/** The names of a declaration, which may have several. */
const boundBy = (node: SyntaxNode, text: string): string[] =>
  [...within(node)]
    .filter(({ type }) => SPECS.test(type))
    .flatMap(({ children }) => children.filter(({ field, named }) => field === "name" && named))
    .map(({ from, to }) => text.slice(from, to));

const firstLine = (said: string): string => (said.split("\n")[0] ?? "").trim().slice(0, 60);

/** What is exported. */
function definitionIn(node: SyntaxNode): SyntaxNode {
  if (node.type !== "export_statement") return node;
  return node.children.find(({ field }) => field === "declaration") ?? node;
}

/** `const f = () => 1` is a function as well. */
const isFunctionValue = (node: SyntaxNode): boolean => {
  const [only, ...others] = node.children.filter(({ type }) => type === "variable_declarator");
  const value = only?.children.find(({ field }) => field === "value");
  return others.length === 0 && (value?.type === "arrow_function" || value?.type === "function_expression");
};

/** Of a method of Go with the type that it belongs to. */
function nameOf(node: SyntaxNode, text: string): string {
  const receiver = node.children.find(({ field }) => field === "receiver");
  const owner = receiver ? (/(\w+)(\[[^\]]*\])?\s*\)$/.exec(text.slice(receiver.from, receiver.to))?.[1] ?? "") : "";
  const holder = node.children.find(({ type }) => type === "variable_declarator") ?? node;
  const name = holder.children.find(({ field }) => field === "name");
  const own = name ? text.slice(name.from, name.to) : "";
  return owner === "" ? own : `${owner}.${own}`;
}
