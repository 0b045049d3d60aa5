import type { SourceFile } from "../../languages/language.ts";
import { TEST_SYNTAX } from "../../languages/test-syntax-of.ts";
import { replaceAll, textOf } from "../../syntax/nodes.ts";
import { type Grammar, grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { type Bound, boundIn } from "../locks/bound-names.ts";
import { isImport, joinImports, type Statements } from "./join-imports.ts";

/**
 * A file of tests with those of another one at its end, as a person would put them there. Null where it is not sure that
 * they would do there what they do now: the other file binds a name that this one has, or does something while it loads.
 */
export async function joinTests(parsers: SyntaxParsers, target: SourceFile, added: SourceFile): Promise<string | null> {
  const grammar = grammarOf(target.path);
  if (grammar === null || grammar !== grammarOf(added.path)) return null;
  const [into, from] = [await parsers.parse(grammar, target.content), await parsers.parse(grammar, added.content)];
  if (into.broken || from.broken) return null;
  const home = { text: target.content, nodes: topOf(into.root) };
  const guest = { text: added.content, nodes: topOf(from.root).filter((node) => !isDropped(added.content, node)) };
  const first = guest.nodes.findIndex((node) => !isHeading(guest.text, node));
  const body = first === -1 ? [] : guest.nodes.slice(first);
  const start = body[0];
  if (!start || body.some((node) => !isPlain(grammar, guest.text, node))) return null;
  if (packageOf(home) !== packageOf(guest)) return null;
  const heading = guest.nodes.slice(0, first);
  if (clashes(home, guest, body) || repeats(grammar, target, into.root, added, from.root)) return null;
  const imports = joinImports(home, { ...guest, nodes: heading });
  if (imports === null) return null;
  const last = home.nodes.findLast((node) => !isDropped(home.text, node));
  const at = last?.to ?? home.text.trimEnd().length;
  const gap = grammar === "python" ? "\n\n\n" : "\n\n";
  const moved = guest.text.slice(startOf(from.root, start), body.at(-1)?.to).trim();
  const rest = home.text.slice(at).trim();
  const end = `${gap}${moved}${rest === "" ? "" : `${gap}${rest}`}\n`;
  return replaceAll(home.text, [...imports, { from: at, to: home.text.length, text: end }]);
}

const topOf = (root: SyntaxNode): SyntaxNode[] =>
  root.children.filter(({ named, type }) => named && type !== "comment");

/** Comments right above the first statement that moves go with it. */
function startOf(root: SyntaxNode, start: SyntaxNode): number {
  const before = root.children.slice(0, root.children.indexOf(start)).reverse();
  const comments = before.findIndex(({ type }) => type !== "comment");
  return (before[(comments === -1 ? before.length : comments) - 1] ?? start).from;
}

/** A file's own title, and what runs it by hand. */
const isDropped = (text: string, node: SyntaxNode): boolean =>
  isTitle(node) || (node.type === "if_statement" && /^if\s+__name__\b/.test(textOf(text, node)));

const isTitle = ({ type, children }: SyntaxNode): boolean =>
  type === "expression_statement" && children.length === 1 && children[0]?.type === "string";

const isHeading = (text: string, node: SyntaxNode): boolean => node.type === "package_clause" || isImport(text, node);

const DEFINITIONS =
  /^(function|class|decorated|method|type|const|var|lexical|variable|interface|type_alias|generator_function)_(definition|declaration)$/;

/** It does the same wherever it stands: it defines something, or it is a test. */
function isPlain(grammar: Grammar, text: string, node: SyntaxNode): boolean {
  if (isImport(text, node)) return false;
  if (DEFINITIONS.test(node.type)) return !/\bautouse\s*=\s*True/.test(textOf(text, node));
  if (node.type !== "expression_statement") return false;
  if (grammar === "python") return /^(?!pytestmark\b|collect_ignore)\w+\s*(:[^=]+)?=(?!=)/.test(textOf(text, node));
  return /^(test|it|describe|suite)\b(?!\s*\.\s*(before|after))/.test(textOf(text, node));
}

const packageOf = ({ text, nodes }: Statements): string => {
  const clause = nodes.find(({ type }) => type === "package_clause");
  return clause ? textOf(text, clause) : "";
};

const NONE: ReadonlySet<SyntaxNode> = new Set();
const boundOf = ({ text, nodes }: Statements): Bound[] => nodes.flatMap((node) => boundIn(text, node, NONE));

/** A name means one thing in each of the two files, and not the same. */
function clashes(home: Statements, guest: Statements, body: SyntaxNode[]): boolean {
  const own = new Map(boundOf(home).flatMap(({ names, words }) => names.map((name) => [name, words] as const)));
  const defined = boundOf({ text: guest.text, nodes: body.filter((node) => !isCall(node)) });
  if (defined.some(({ names }) => names.some((name) => own.has(name)))) return true;
  const taken = boundOf({ text: guest.text, nodes: guest.nodes.filter((node) => isImport(guest.text, node)) });
  return taken.some(({ names, words }) => names.some((name) => (own.get(name) ?? words) !== words));
}

/** A test of a script: it binds nothing. */
const isCall = (node: SyntaxNode): boolean => node.children[0]?.type === "call_expression";

/** Reports could not tell two tests of one name apart. */
function repeats(grammar: Grammar, target: SourceFile, into: SyntaxNode, added: SourceFile, from: SyntaxNode): boolean {
  const known = new Set(TEST_SYNTAX[grammar].tests(target.content, into).map(({ name }) => name));
  return TEST_SYNTAX[grammar].tests(added.content, from).some(({ name }) => known.has(name));
}
