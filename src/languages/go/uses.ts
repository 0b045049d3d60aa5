import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { argumentsOf, calleeOf } from "../call-nodes.ts";
import { flagsIn, rootName, routesIn } from "../own-names.ts";
import type { TestNode } from "../test-syntax.ts";
import type { ImportUse, TestUse, TestUses } from "../test-uses.ts";
import { boundNames, importsOf, isStandard, UNIVERSE } from "./declared-names.ts";

/**
 * Reads a file of `go test`. In a test of its own package every name that the file does not declare is the package's;
 * one of another package takes them by its import.
 */
export function goUses(text: string, root: SyntaxNode): TestUses {
  const all = [...within(root)];
  const own = ownNames(text, root);
  const called = new Set(
    all.flatMap((node) => (node.type === "call_expression" ? lastName(text, calleeOf(node)) : [])),
  );
  const errors = new Set(all.flatMap((node) => errorNames(text, node)));
  return {
    imports: own,
    programs: [],
    called,
    awaited: new Set(),
    errors,
    tests: testFunctions(text, root).map((test) => describeTest(text, test, own, importAliases(text, root))),
  };
}

/** The empty path stands for the package that the file itself belongs to. */
export const OWN_PACKAGE = "";

function ownNames(text: string, root: SyntaxNode): ImportUse[] {
  const found: ImportUse[] = importsOf(text, root)
    .filter(({ path }) => !isStandard(path))
    .map(({ alias, path }) => ({ module: path, names: membersOf(text, root, alias), whole: true }));
  if (isOutside(text, root)) return found;
  const bound = boundNames(text, root);
  const names = identifiers(text, root).filter((name) => !bound.has(name) && !UNIVERSE.has(name));
  return [...found, { module: OWN_PACKAGE, names: [...new Set(names)], whole: false }];
}

/** `package calc_test` sees of `calc` what everybody sees. */
const isOutside = (text: string, root: SyntaxNode): boolean => packageName(text, root).endsWith("_test");

export function packageName(text: string, root: SyntaxNode): string {
  const clause = root.children.find((child) => child.type === "package_clause");
  const name = clause?.children.find((child) => child.named);
  return name ? textOf(text, name) : "";
}

const importAliases = (text: string, root: SyntaxNode): Map<string, string> =>
  new Map(importsOf(text, root).map(({ alias, path }) => [alias, path]));

function membersOf(text: string, root: SyntaxNode, alias: string): string[] {
  const found = [...within(root)].flatMap((node) => {
    const operand = node.type === "selector_expression" ? fieldOf(node, "operand") : undefined;
    const field = fieldOf(node, "field");
    if (operand?.type === "identifier" && field && textOf(text, operand) === alias) return [textOf(text, field)];
    const inPackage = node.type === "qualified_type" ? fieldOf(node, "package") : undefined;
    const name = fieldOf(node, "name");
    return inPackage && name && textOf(text, inPackage) === alias ? [textOf(text, name)] : [];
  });
  return [...new Set(found)];
}

/** Names of values and types, without the keys of `Item{Price: 3}` and what stands behind a dot. */
function identifiers(text: string, root: SyntaxNode): string[] {
  const found: string[] = [];
  const look = (node: SyntaxNode): void => {
    if (/^(import_declaration|package_clause|qualified_type|comment|label_name)$/.test(node.type)) return;
    if (node.type === "identifier" || node.type === "type_identifier") found.push(textOf(text, node));
    const key = node.type === "keyed_element" ? fieldOf(node, "key") : undefined;
    const isName = key?.children.length === 1 && key.children[0]?.type === "identifier";
    for (const child of node.children) if (!(isName && child === key)) look(child);
  };
  for (const child of root.children) look(child);
  return found;
}

function lastName(text: string, node: SyntaxNode | undefined): string {
  if (!node) return "";
  const field = node.type === "selector_expression" ? fieldOf(node, "field") : node;
  return field ? textOf(text, field) : "";
}

/** `errors.Is(err, ErrEmpty)`, `err != ErrEmpty`. */
function errorNames(text: string, node: SyntaxNode): string[] {
  const sides =
    node.type === "call_expression" && /^errors\.(Is|As)$/.test(textOf(text, calleeOf(node) ?? node))
      ? argumentsOf(node).slice(1)
      : node.type === "binary_expression"
        ? [fieldOf(node, "left"), fieldOf(node, "right")]
        : [];
  return sides
    .flatMap((side) => (side ? lastName(text, side) : []))
    .filter((name) => /^(Err[A-Z]\w*|\w+Error)$/.test(name));
}

/** As `go test` finds them; those of other kinds are no proof of anything. */
export function testFunctions(text: string, root: SyntaxNode): TestNode[] {
  return root.children.flatMap((node) => {
    const name = node.type === "function_declaration" ? fieldOf(node, "name") : undefined;
    const own = name ? textOf(text, name) : "";
    if (!name || !/^(Test|Fuzz)(?![a-z])/.test(own) || own === "TestMain") return [];
    return [{ name: own, node, body: fieldOf(node, "body") ?? null, label: name }];
  });
}

function describeTest(
  text: string,
  { name, node }: TestNode,
  imports: ImportUse[],
  aliases: Map<string, string>,
): TestUse {
  const words: TestUse["words"] = [];
  const literals: string[] = [];
  const ofPackage = new Set(imports.flatMap((one) => (one.module === OWN_PACKAGE ? one.names : [])));
  const others = new Set([...aliases].filter(([, path]) => !isStandard(path)).map(([alias]) => alias));
  const fromUs = variablesFrom(text, node, new Set([...ofPackage, ...others]));
  let skips = false;
  for (const part of within(node)) {
    const literal = goString(text, part);
    if (literal !== null) literals.push(literal);
    if (/^(int|float|rune)_literal$/.test(part.type)) literals.push(textOf(text, part));
    if (/^(type_)?identifier$/.test(part.type) && ofPackage.has(textOf(text, part)))
      words.push({ kind: "name", word: textOf(text, part) });
    if (part.type === "selector_expression") {
      const operand = fieldOf(part, "operand");
      const word = lastName(text, part);
      const root = rootName(text, part);
      const isImport = operand?.type === "identifier" && others.has(textOf(text, operand));
      if (isImport) words.push({ kind: "name", word });
      else if (root !== null && fromUs.has(root)) words.push({ kind: "attribute", word });
    }
    if (part.type === "call_expression") {
      const called = textOf(text, calleeOf(part) ?? part);
      if (/\.Skip(f|Now)?$/.test(called)) skips = true;
      const given = argumentsOf(part).flatMap((one) => goString(text, one) ?? []);
      if (/^exec\.Command/.test(called)) words.push(...flagsIn(given));
      if (/^http(test)?\.(NewRequest|Get|Post|Head)/.test(called)) words.push(...routesIn(given));
      if (/^strings\.(Contains|HasPrefix|HasSuffix|EqualFold)$/.test(called) && /\.Error\(\)/.test(textOf(text, part)))
        words.push(...given.map((word) => ({ kind: "message" as const, word })));
    }
    if (part.type === "binary_expression") words.push(...messageOf(text, part));
    for (const word of errorNames(text, part)) words.push({ kind: "error", word });
  }
  return { name, from: node.from, to: node.to, words, literals, skips };
}

/** `err.Error() != "…"`. */
function messageOf(text: string, node: SyntaxNode): TestUse["words"] {
  const sides = [fieldOf(node, "left"), fieldOf(node, "right")].flatMap((side) => side ?? []);
  if (!sides.some((side) => /\.Error\(\)$/.test(textOf(text, side)))) return [];
  return sides.flatMap((side) => {
    const word = goString(text, side);
    return word === null ? [] : [{ kind: "message" as const, word }];
  });
}

/** Variables that hold what came from one of these names. */
function variablesFrom(text: string, node: SyntaxNode, own: Set<string>): Set<string> {
  const known = new Set(own);
  for (const part of within(node)) {
    if (part.type !== "short_var_declaration") continue;
    const [first] = fieldOf(part, "right")?.children.filter((child) => child.named) ?? [];
    const root = first && (rootName(text, first) ?? typeName(text, first));
    if (!root || !known.has(root)) continue;
    const names = fieldOf(part, "left")?.children.filter((child) => child.type === "identifier") ?? [];
    for (const one of names.map((child) => textOf(text, child))) if (!/^(err|_)$/.test(one)) known.add(one);
  }
  return known;
}

/** `Stack` of `&Stack{}`. */
function typeName(text: string, node: SyntaxNode): string | null {
  const literal = node.type === "unary_expression" ? fieldOf(node, "operand") : node;
  const type = literal?.type === "composite_literal" ? fieldOf(literal, "type") : undefined;
  return type?.type === "type_identifier" ? textOf(text, type) : null;
}

/** What stands between the quotes; null for what is no string. */
export const goString = (text: string, { type, from, to }: SyntaxNode): string | null =>
  type === "interpreted_string_literal" || type === "raw_string_literal" ? text.slice(from + 1, to - 1) : null;
