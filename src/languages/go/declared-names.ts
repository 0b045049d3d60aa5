import { fieldOf, fieldsOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";

/** What a file of Go has at its top, methods as `Stack.Push`. */
export function declaredNames(text: string, root: SyntaxNode): Set<string> {
  const names = new Set<string>();
  for (const node of root.children) {
    const name = fieldOf(node, "name");
    if (node.type === "function_declaration" && name) names.add(textOf(text, name));
    if (node.type === "method_declaration" && name) names.add(`${receiverOf(text, node)}.${textOf(text, name)}`);
    if (!/^(var|const|type)_declaration$/.test(node.type)) continue;
    for (const spec of within(node)) {
      if (!/^(var_spec|const_spec|type_spec|type_alias)$/.test(spec.type)) continue;
      for (const one of fieldsOf(spec, "name")) if (one.named) names.add(textOf(text, one));
      for (const field of fieldNames(text, spec)) names.add(field);
    }
  }
  return names;
}

function receiverOf(text: string, method: SyntaxNode): string {
  const receiver = fieldOf(method, "receiver");
  const type = [...(receiver ? within(receiver) : [])].find((node) => node.type === "type_identifier");
  return type ? textOf(text, type) : "";
}

/** `Item.Price` of `type Item struct { Price int }`. */
function fieldNames(text: string, spec: SyntaxNode): string[] {
  const name = fieldOf(spec, "name");
  if (spec.type !== "type_spec" || !name) return [];
  return [...within(spec)]
    .filter((node) => node.type === "field_declaration" || node.type === "method_elem")
    .flatMap((field) => fieldsOf(field, "name"))
    .map((field) => `${textOf(text, name)}.${textOf(text, field)}`);
}

/** Every name that is given a meaning anywhere in this part: variables, parameters, functions, types, imports. */
export function boundNames(text: string, root: SyntaxNode): Set<string> {
  const names = new Set<string>();
  const add = (node: SyntaxNode | undefined) => {
    for (const one of node ? within(node) : []) if (one.type === "identifier") names.add(textOf(text, one));
  };
  for (const node of within(root)) {
    if (/^(short_var_declaration|range_clause)$/.test(node.type)) add(fieldOf(node, "left"));
    if (node.type === "type_switch_statement") add(fieldOf(node, "alias"));
    if (/^((variadic_)?parameter_declaration|var_spec|const_spec|function_declaration)$/.test(node.type))
      for (const one of fieldsOf(node, "name")) add(one);
    const name = /^type_(spec|parameter_declaration|alias)$/.test(node.type) ? fieldOf(node, "name") : undefined;
    if (name) names.add(textOf(text, name));
    if (node.type === "label_name") names.add(textOf(text, node));
  }
  for (const one of importsOf(text, root)) names.add(one.alias);
  return names;
}

export interface GoImport {
  /** What the file calls it. */
  alias: string;
  path: string;
}

export function importsOf(text: string, root: SyntaxNode): GoImport[] {
  return [...within(root)].flatMap((node) => {
    const path = node.type === "import_spec" ? fieldOf(node, "path") : undefined;
    if (!path) return [];
    const written = textOf(text, path).slice(1, -1);
    const name = fieldOf(node, "name");
    // By its last part, as nearly all are named; `/v2` is a version and no name.
    const last =
      written
        .replace(/\/v\d+$/, "")
        .split("/")
        .at(-1) ?? "";
    return [{ alias: name ? textOf(text, name) : last, path: written }];
  });
}

/** The first parts of the paths of Go's own packages. */
const STANDARD = new Set(
  (
    "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index io iter log maps math " +
    "mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak"
  ).split(" "),
);

export const isStandard = (path: string): boolean => STANDARD.has(path.split("/")[0] ?? "");

/** What needs no import and no declaration. */
export const UNIVERSE = new Set(
  (
    "bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr any " +
    "true false iota nil append cap clear close complex copy delete imag len make max min new panic print println real recover _"
  ).split(" "),
);
