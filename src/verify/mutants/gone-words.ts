import { fieldOf, textOf, within } from "../../syntax/nodes.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";

/** How often each word stands in code, without comments. */
type Counts = ReadonlyMap<string, number>;

/** What all changed files say, before the change and after it. */
export interface Said {
  old: Counts;
  now: Counts;
}

export async function saidIn(
  paths: Iterable<{ old: string | null; now: string | null; path: string }>,
  parsers: SyntaxParsers,
): Promise<Said> {
  const said = { old: new Map<string, number>(), now: new Map<string, number>() };
  for (const { path, ...sides } of paths) {
    const grammar = grammarOf(path);
    if (grammar === null) continue;
    for (const side of ["old", "now"] as const) {
      const text = sides[side];
      if (text === null) continue;
      const { root } = await parsers.parse(grammar, text);
      for (const word of leavesOf(root)) count(said[side], textOf(text, word));
    }
  }
  return said;
}

const count = (counts: Map<string, number>, word: string) => counts.set(word, (counts.get(word) ?? 0) + 1);

function* leavesOf(root: SyntaxNode): Generator<SyntaxNode> {
  for (const node of within(root)) if (node.children.length === 0 && node.type !== "comment") yield node;
}

/**
 * Words of what went, which the code says less often now: names that its file made or imported, fields, named arguments,
 * and words by which something is waited for, kept, caught or raised. Of a literal it is enough that it still stands
 * somewhere. What was merely moved, or written otherwise (`then` as `await`), has none, and nor has what is done to `own`
 * names, which went, too.
 */
export function goneWords(
  text: string,
  gone: readonly SyntaxNode[],
  { old, now }: Said,
  own: ReadonlySet<string> = new Set(),
): SyntaxNode[] {
  const toOwn = new Set(gone.flatMap((node) => [...within(node)].flatMap((one) => fieldOfOwn(text, one, own))));
  const counted = (counts: Counts, word: string) => counts.get(word) ?? 0;
  const times = (counts: Counts, word: string) =>
    counted(counts, word) + (word === "then" ? counted(counts, "await") : 0);
  const less = (word: string) => times(now, word) < times(old, word);
  const declared = new Set(gone.flatMap((node) => [...within(node)].flatMap(declaredBy)));
  return gone
    .flatMap((node) => [...leavesOf(node)])
    .filter((node) => {
      const word = textOf(text, node);
      if (toOwn.has(node)) return false;
      if (LITERAL.test(node.type)) return !now.has(word);
      if (!node.named) return ACTING.test(word) && less(word);
      const isField =
        FIELD.test(node.type) || node.field === "attribute" || (node.field === "name" && !declared.has(node));
      return (isField || (node.type === "identifier" && isOfFile(text, word))) && less(word);
    });
}

/**
 * Where the old text says each of these words, as far as a small change shows whether anybody needs it there: a literal, or
 * what is read of an object (`items.length`). Null where one of them does something (a call, a lock, a raised error), or
 * steers what is called.
 */
export function valuesAt(gone: readonly SyntaxNode[], words: readonly SyntaxNode[]): SyntaxNode[] | null {
  const nodes = gone.flatMap((node) => [...within(node)]);
  const called = new Set(nodes.flatMap((node) => fieldOf(node, "function") ?? []));
  const reads = new Map(
    nodes.flatMap((node): [SyntaxNode, SyntaxNode][] => {
      const field = fieldOf(node, "attribute") ?? fieldOf(node, "property");
      return field && READ.test(node.type) && !called.has(node) ? [[field, node]] : [];
    }),
  );
  const found = words.map((word) => (LITERAL.test(word.type) ? word : (reads.get(word) ?? null)));
  return found.includes(null) ? null : found.flatMap((node) => node ?? []);
}

const READ = /^(attribute|member_expression)$/;

/** What is declared where it goes is no argument's name. */
const declaredBy = (node: SyntaxNode): SyntaxNode[] =>
  node.type === "variable_declarator" ? [fieldOf(node, "name")].flatMap((name) => name ?? []) : [];

/** `append` of `found.append`, where `found` is such a name. */
function fieldOfOwn(text: string, node: SyntaxNode, own: ReadonlySet<string>): SyntaxNode[] {
  const object = fieldOf(node, "object");
  if (object?.type !== "identifier" || !own.has(textOf(text, object))) return [];
  return [fieldOf(node, "attribute") ?? fieldOf(node, "property")].flatMap((field) => field ?? []);
}

const LITERAL = /^(string_content|string_fragment|integer|float|number|regex_pattern|.*_literal(_content)?)$/;
const FIELD = /^(property_identifier|private_property_identifier|field_identifier)$/;
const ACTING = /^(with|finally|raise|throw|await|except|catch|assert|del|delete|defer|go)$/;

/** The file imports it, or makes it at its top. */
function isOfFile(text: string, name: string): boolean {
  const word = RegExp.escape(name);
  const made = `(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?(?:def|class|function\\*?|func|const|let|var|type)\\s+${word}`;
  return new RegExp(
    `^(?:(?:import|from)\\b.*\\b${word}|.*\\brequire\\(.*\\b${word}|${made}|${word}\\s*[:=])(?![\\w$])`,
    "m",
  ).test(text);
}
