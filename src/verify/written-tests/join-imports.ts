import { type Replacement, textOf, within } from "../../syntax/nodes.ts";
import type { SyntaxNode } from "../../syntax/parse.ts";
import { boundIn, takenNames } from "../locks/bound-names.ts";

/** A text and the statements at its top. */
export interface Statements {
  text: string;
  nodes: SyntaxNode[];
}

const IMPORTS = /^(import_statement|import_from_statement|future_import_statement|import_declaration)$/;

/** Whether a statement takes something from another module. */
export const isImport = (text: string, node: SyntaxNode): boolean => IMPORTS.test(node.type) || requires(text, node);

const requires = (text: string, node: SyntaxNode): boolean =>
  /^(lexical|variable)_declaration$/.test(node.type) &&
  [...within(node)].some((one) => one.type === "call_expression" && /^require\s*\(/.test(textOf(text, one)));

/** Edits of a file, so that it takes what another one takes: names go to the import that has their module. Null: unsure. */
export function joinImports(home: Statements, guest: Statements): Replacement[] | null {
  const own = home.nodes.filter((node) => isImport(home.text, node));
  const others = guest.nodes.filter((node) => isImport(guest.text, node));
  if ([...own, ...others].some(({ type }) => type === "future_import_statement")) return null;
  if (others.some(({ type }) => type === "import_declaration")) return joinSpecs(home, own, guest, others);
  const known = new Set(own.flatMap((node) => wordsOf(home.text, node)));
  const further = new Map<SyntaxNode, string[]>();
  const fresh = new Map<SyntaxNode, string>();
  for (const node of others) {
    const names = takenNames(node);
    const words = wordsOf(guest.text, node);
    const missing = names.filter((_, index) => !known.has(words[index] ?? ""));
    if (words.every((one) => known.has(one))) continue;
    const same = own.find((one) => isExtended(one) && moduleOf(home.text, one) === moduleOf(guest.text, node));
    if (same && missing.length > 0) {
      further.set(same, [...(further.get(same) ?? []), ...missing.map((name) => textOf(guest.text, name))]);
    } else if (words.some((one) => known.has(one))) return null;
    else fresh.set(node, textOf(guest.text, node));
  }
  return [...extended(further), ...inserted(home, own, guest, others, fresh)];
}

/** What it takes, one for each name. */
const wordsOf = (text: string, node: SyntaxNode): string[] => boundIn(text, node, new Set()).map(({ words }) => words);

const moduleOf = (text: string, node: SyntaxNode): string => (wordsOf(text, node)[0] ?? "").replace(/^.*? of /, "of ");

/** A further name can be written behind its last one. Of `import a` in Python the module itself is the name. */
const isExtended = (node: SyntaxNode): boolean =>
  takenNames(node).length > 0 && !takenNames(node).some(({ type }) => type === "dotted_name" && !isFrom(node));

const isFrom = ({ type }: SyntaxNode): boolean => type === "import_from_statement";

const extended = (further: Map<SyntaxNode, string[]>): Replacement[] =>
  [...further].flatMap(([node, names]) => {
    const at = takenNames(node).at(-1)?.to;
    return at === undefined ? [] : [{ from: at, to: at, text: names.map((name) => `, ${name}`).join("") }];
  });

/** Each before what it stood before in its own file; where that is not here, behind the last import. */
function inserted(
  home: Statements,
  own: SyntaxNode[],
  guest: Statements,
  others: SyntaxNode[],
  fresh: Map<SyntaxNode, string>,
): Replacement[] {
  const behind: string[] = [];
  const edits: Replacement[] = [];
  let before = "";
  for (const [index, node] of others.entries()) {
    const text = fresh.get(node);
    const next = others[index + 1];
    const gap = next ? guest.text.slice(node.to, next.from) : "\n";
    if (text !== undefined) before += `${text}${/^[ \t;]*\n\s*$/.test(gap) ? gap : "\n"}`;
    const same = own.find((one) => next && moduleOf(home.text, one) === moduleOf(guest.text, next));
    if (before === "" || (next && fresh.has(next)) || (!same && next)) continue;
    if (same) edits.push({ from: same.from, to: same.from, text: before });
    else behind.push(before.trimEnd());
    before = "";
  }
  const last = own.at(-1);
  const top = home.nodes[0]?.from ?? 0;
  if (behind.length > 0 && last) edits.push({ from: last.to, to: last.to, text: `\n${behind.join("\n")}` });
  else if (behind.length > 0) edits.push({ from: top, to: top, text: `${behind.join("\n")}\n\n` });
  return edits;
}

/** Go: one block, sorted as gofmt sorts it. */
function joinSpecs(home: Statements, own: SyntaxNode[], guest: Statements, others: SyntaxNode[]): Replacement[] | null {
  const specs = (text: string, nodes: SyntaxNode[]) =>
    nodes.flatMap((node) => takenNames(node).map((spec) => ({ spec, text: textOf(text, spec) })));
  const known = specs(home.text, own);
  const missing = specs(guest.text, others).filter(({ text }) => !known.some((one) => one.text === text));
  const [block, ...more] = own;
  if (missing.length === 0) return [];
  if (!block || more.length > 0) return null;
  const path = (text: string) => text.slice(text.indexOf('"'));
  const sorted = (texts: string[]) => texts.toSorted((a, b) => (path(a) < path(b) ? -1 : 1));
  const added = missing.map(({ text }) => text);
  if (!textOf(home.text, block).includes("(")) {
    const all = sorted([...known.map(({ text }) => text), ...added]).map((text) => `\t${text}\n`);
    return [{ from: block.from, to: block.to, text: `import (\n${all.join("")})` }];
  }
  return sorted(added).map((text) => {
    const next = known.find((one) => path(one.text) > path(text));
    const last = known.at(-1)?.spec.to ?? block.to;
    return next
      ? { from: next.spec.from, to: next.spec.from, text: `${text}\n\t` }
      : { from: last, to: last, text: `\n\t${text}` };
  });
}
