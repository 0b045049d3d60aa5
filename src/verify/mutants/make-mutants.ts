import { hasLine, type LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { SourceFile } from "../../languages/language.ts";
import type { MutationEdit, Place } from "../../languages/mutations.ts";
import { MUTATIONS } from "../../languages/mutations-of.ts";
import { lineCounter } from "../../syntax/line-counter.ts";
import { oddSource } from "../../syntax/odd-source.ts";
import { type Grammar, grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { normalisedTree } from "./normalised-tree.ts";
import { readByNode } from "./read-by-node.ts";
import { spread } from "./spread.ts";

const LONGEST_SHOWN = 80;

/**
 * Every mutant of these lines, in the order in which they should run. None of a file in a language that we do not
 * mutate, or of a text that the grammar cannot read. A mutant that cannot be read either, or that means the
 * same as the original or as another one, is left out. With `values` also those that give another value on; with `inputs`
 * only those that spoil what a function was given, with `alikes` only those that a looser test does not notice.
 */
export async function makeMutants(
  file: SourceFile,
  lines: readonly LineRange[],
  parsers: SyntaxParsers,
  wanted: WantedMutants = {},
): Promise<Mutant[]> {
  const grammar = grammarOf(file.path);
  if (grammar === null || lines.length === 0 || file.path.endsWith(".pyi")) return [];
  if (oddSource(file.path, Buffer.from(file.content)) !== null) return [];
  const { root, broken } = await parsers.parse(grammar, file.content);
  if (broken) return [];
  const lineOf = lineCounter(file.content);
  const mutants: Mutant[] = [];
  const numbers = new Map<string, number>();
  const edits = editsOf(grammar, root, file.content, wanted, ({ from }) => hasLine(lines, lineOf(from)));
  const read = readByNode(file.path, await readable(grammar, edits, file.content, parsers), file.content);
  for (const edit of read) {
    const line = lineOf(edit.from);
    const key = `${file.path}:${line}:${edit.operator}`;
    const number = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, number);
    const { operator, from, to, replacement } = edit;
    const description = describe(edit, file.content);
    const statement = { from: lineOf(edit.statement.from), to: lineOf(Math.max(to - 1, from)) };
    const id = `${key}:${number}`;
    mutants.push({ id, path: file.path, line, statement, operator, from, to, replacement, description });
  }
  return spread(mutants);
}

export interface WantedMutants {
  values?: boolean;
  inputs?: boolean;
  alikes?: boolean;
}

/** The text with the mutant in it. */
export const mutate = (content: string, { from, to, replacement }: Pick<Mutant, "from" | "to" | "replacement">) =>
  content.slice(0, from) + replacement + content.slice(to);

/** An edit, with the smallest statement and the part of the file that it is in. */
interface PlacedEdit extends MutationEdit {
  statement: SyntaxNode;
  part: SyntaxNode;
}

const ASSIGNED = new Set(["assignment", "assignment_expression", "variable_declarator"]);

/** Can be read by itself. */
export const STATEMENT = /^(?!method_|field_|class_static_|public_field_).*_(statement|declaration|definition)$/;

/** Without recursion: a file may be nested a thousand deep. */
function editsOf(
  grammar: Grammar,
  root: SyntaxNode,
  text: string,
  { values = false, inputs = false, alikes = false }: WantedMutants,
  isWanted: (edit: MutationEdit) => boolean,
): PlacedEdit[] {
  const mutations = MUTATIONS[grammar];
  const edits: PlacedEdit[] = [];
  const open: (Place & Pick<PlacedEdit, "statement" | "part">)[] = [];
  for (const part of root.children) open.push({ node: part, above: [root], text, statement: part, part });
  for (let place = open.pop(); place; place = open.pop()) {
    if (mutations.isLeftAlone(place)) continue;
    const { node, part } = place;
    const statement = STATEMENT.test(node.type) ? node : place.statement;
    const own = alikes
      ? (mutations.alikes?.(place) ?? [])
      : inputs
        ? (mutations.inputs?.(place) ?? [])
        : [...mutations.edits(place), ...((values && mutations.values?.(place)) || [])];
    edits.push(...own.filter(isWanted).map((edit) => ({ ...edit, statement, part })));
    const above = [...place.above, node];
    for (const child of node.children) open.push({ node: child, above, text, statement, part });
  }
  // What is assigned is exchanged only where nothing else of the statement can be changed.
  const otherwise = new Set(edits.filter(({ operator }) => operator !== "value").map(({ statement }) => statement));
  const kept = edits.filter(
    ({ shown, said, statement }) => !said || !ASSIGNED.has(shown.type) || !otherwise.has(statement),
  );
  return sparing(kept).sort((a, b) => a.from - b.from || a.to - b.to || (a.replacement < b.replacement ? -1 : 1));
}

/** The smallest parts first: what is made of one is inside the larger ones. */
function sparing(edits: readonly PlacedEdit[]): PlacedEdit[] {
  const size = ({ unless }: PlacedEdit) => (unless ? unless.to - unless.from : 0);
  const kept = edits.filter(({ unless }) => unless === undefined);
  const inside = kept.filter(({ operator }) => operator !== "value" && operator !== "return");
  for (const edit of edits.filter(({ unless }) => unless !== undefined).sort((a, b) => size(a) - size(b))) {
    const { from = 0, to = 0 } = edit.unless ?? {};
    const others = edit.operator === "value" ? kept.filter(({ unless }) => unless !== edit.unless) : inside;
    if (others.some((one) => from <= one.from && one.to <= to)) continue;
    kept.push(edit);
    inside.push(edit);
  }
  return kept;
}

/** Only the statement that an edit is in has to be read again, or the part of the file when it cannot stand alone. */
async function readable(
  grammar: Grammar,
  edits: PlacedEdit[],
  text: string,
  parsers: SyntaxParsers,
): Promise<PlacedEdit[]> {
  const meaningOf = async ({ lead, body }: Excerpt) => {
    // For Go a declaration ends with its line.
    const text = `${lead}${body}\n`;
    const tree = await parsers.parse(grammar, text);
    return tree.broken ? null : normalisedTree(tree.root, text);
  };
  const known = new Map<SyntaxNode, { excerpt: Excerpt; meanings: Set<string> } | null>();
  const open = async (node: SyntaxNode) => {
    const found = known.get(node);
    if (found !== undefined) return found;
    const excerpt = excerptOf(grammar, node, text);
    const meaning = await meaningOf(excerpt);
    const opened = meaning === null ? null : { excerpt, meanings: new Set([meaning]) };
    known.set(node, opened);
    return opened;
  };
  const kept: PlacedEdit[] = [];
  for (const edit of edits) {
    const { excerpt, meanings } = (await open(edit.statement)) ?? (await open(edit.part)) ?? {};
    if (!excerpt || !meanings) continue;
    const place = { ...edit, from: edit.from - excerpt.from, to: edit.to - excerpt.from };
    const meaning = await meaningOf({ ...excerpt, body: mutate(excerpt.body, place) });
    if (meaning === null || meanings.has(meaning)) continue;
    meanings.add(meaning);
    kept.push(edit);
  }
  return kept;
}

interface Excerpt {
  lead: string;
  body: string;
  from: number;
}

/** A statement of Python keeps its indentation, below a line that lets it have one. */
function excerptOf(grammar: Grammar, { from, to }: SyntaxNode, text: string): Excerpt {
  const line = text.lastIndexOf("\n", from - 1) + 1;
  const indented = grammar === "python" && line < from && text.slice(line, from).trim() === "";
  const start = indented ? line : from;
  return { lead: indented ? "if 1:\n" : "", body: text.slice(start, to), from: start };
}

function describe({ shown, said, ...own }: MutationEdit, text: string): string {
  const edit = { ...own, replacement: said ?? own.replacement };
  const before = text.slice(shown.from, shown.to);
  const after = mutate(before, { ...edit, from: edit.from - shown.from, to: edit.to - shown.from });
  return `${clip(before, edit.from - shown.from)} → ${clip(after, edit.from - shown.from)}`;
}

/** One line of it, around the place that differs. */
function clip(text: string, place: number): string {
  const start = text.lastIndexOf("\n", Math.max(0, place - 1)) + 1;
  const end = text.indexOf("\n", place);
  const line = text.slice(start, end === -1 ? text.length : end).trim();
  return line.length <= LONGEST_SHOWN ? `\`${line}\`` : `\`${line.slice(0, LONGEST_SHOWN - 1).toWellFormed()}…\``;
}
