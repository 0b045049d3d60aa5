import type { LineRange } from "../../domain/evidence/line-range.ts";
import type { Mutant } from "../../domain/evidence/mutant-report.ts";
import type { SourceFile } from "../../languages/language.ts";
import { MUTATIONS } from "../../languages/mutations-of.ts";
import { lineCounter } from "../../syntax/line-counter.ts";
import { grammarOf, type SyntaxNode, type SyntaxParsers } from "../../syntax/parse.ts";
import { differing } from "./differing-pieces.ts";
import type { Versions } from "./exchange-nodes.ts";
import { goneWords, type Said, valuesAt } from "./gone-words.ts";
import { idleOf } from "./idle-pieces.ts";
import { mutate, STATEMENT } from "./make-mutants.ts";
import { movedWithin, type Span } from "./moved-pieces.ts";
import { withNames, withNewNames } from "./names-of-pieces.ts";
import { readByNode } from "./read-by-node.ts";

/** A part of a file that was changed, with where it stood before. */
interface ChangedPart {
  before: LineRange;
  after: LineRange;
}

/** So many for one part, what has no successor first: a part that was written anew has many small ones. */
const MOST = 16;

/** Both texts of a changed part, read, and the pieces in which they differ. */
async function readPieces(versions: Versions, part: ChangedPart, parsers: SyntaxParsers) {
  const { now } = versions;
  const grammar = grammarOf(now.path);
  if (grammar === null || grammarOf(versions.old.path) !== grammar) return null;
  const parse = async ({ content }: SourceFile, lines: LineRange) => {
    const { root, broken } = await parsers.parse(grammar, content);
    return { root, node: broken ? null : nodeAt(root, content, lines) };
  };
  const is = await parse(now, part.after);
  const first = await parse(versions.old, part.before);
  if (!is.node || !first.node) return null;
  const old = withNewNames(versions, first.node, is.node);
  const was = await parse(old, part.before);
  if (!was.node) return null;
  const sides = { old, now, mutations: MUTATIONS[grammar] };
  const found = differing(sides, was.node, is.node, pathTo(is.root, is.node));
  return { grammar, sides, root: is.root, found, was: was.node, is: is.node };
}

/**
 * Where the new text of a part is another than the old one, and what of that only moved: all else stands as it stood.
 * Null when that is not known.
 */
export async function changedSpans(
  versions: Versions,
  part: ChangedPart,
  parsers: SyntaxParsers,
): Promise<{ changed: Span[]; moved: Span[] } | null> {
  const read = await readPieces(versions, part, parsers);
  if (!read || read.found.length === 0) return null;
  const changed = read.found.map(({ from, to }) => ({ from, to }));
  return { changed, moved: movedWithin(read.sides, read.was, read.is) };
}

/**
 * Each smallest piece of a change, put back as it was: a piece that no test misses is not shown by any, though tests
 * notice small changes of what stands around it.
 */
export async function putBack(
  versions: Versions,
  part: ChangedPart,
  parsers: SyntaxParsers,
  words?: Said,
): Promise<Mutant[]> {
  const { now } = versions;
  const read = await readPieces(versions, part, parsers);
  if (!read) return [];
  const { grammar, sides, root, found } = read;
  // What the interpreter reads as it reads the new text is no piece: a type, a pair of parentheses.
  const pieces = readByNode(
    now.path,
    found.map((piece) => ({ ...piece, part: root })),
    now.content,
  );
  const idle = idleOf(sides, read.was, read.is);
  const lineOf = lineCounter(now.content);
  const made: Mutant[] = [];
  for (const piece of pieces.sort((a, b) => Number(b.dropped !== undefined) - Number(a.dropped !== undefined))) {
    const line = lineOf(piece.from);
    if (made.length === MOST) break;
    if (line < part.after.from || line > part.after.to + 1) continue;
    const acting = piece.dropped?.filter((node) => !idle.nodes.has(node)) ?? [];
    if (piece.dropped && acting.length === 0) continue;
    const { replacement, lacks } = withNames(sides, piece);
    if ((await parsers.parse(grammar, mutate(now.content, { ...piece, replacement }))).broken) continue;
    const { from, to } = piece;
    const statement = statementOf(root, piece);
    const wordsGone = words && !piece.replaced ? goneWords(sides.old.content, acting, words, idle.names) : [];
    const gone = [...new Set(wordsGone.map((node) => sides.old.content.slice(node.from, node.to)))];
    // Of a text in which names were exchanged nobody knows the places.
    const went = sides.old === versions.old ? valuesAt(acting, wordsGone) : null;
    made.push({
      ...{ from, to, replacement },
      id: `${now.path}:${line}:put-back:${made.length + 1}`,
      path: now.path,
      line: Math.min(line, part.after.to),
      statement: {
        from: statement ? lineOf(statement.from) : line,
        to: lineOf(Math.max(from, to - 1)),
      },
      operator: "put-back",
      description: `${said(now.content.slice(piece.from, piece.to))} → ${said(piece.replacement)}, as it was`,
      ...(lacks.length > 0 && { lacks }),
      ...(gone.length > 0 && { gone }),
      ...(gone.length > 0 && went && { went: went.map(({ from, to }) => ({ from, to })) }),
    });
  }
  return made;
}

const LONGEST_SHOWN = 60;

/** A piece for a person, by its first line. */
function said(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line === "" ? "nothing" : `\`${line.slice(0, LONGEST_SHOWN)}\``;
}

/** Where statements stand one after another. */
const BLOCK = /(^|_)(block|body|module|program|source_file)$/;

/** The statement that a piece is in: a runner may name only its first line. Null for what stands between statements. */
function statementOf(root: SyntaxNode, { from, to }: Span): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  for (let node: SyntaxNode | undefined = root; node; ) {
    if (BLOCK.test(node.type)) found = null;
    else if (STATEMENT.test(node.type)) found = node;
    node = node.children.find((child) => child.from <= from && to <= child.to);
  }
  return found;
}

/** The nodes above a node, from the root on. */
function pathTo(root: SyntaxNode, node: SyntaxNode): SyntaxNode[] {
  const path: SyntaxNode[] = [];
  for (let at: SyntaxNode | undefined = root; at && at !== node; ) {
    path.push(at);
    at = at.children.find((child) => child.from <= node.from && node.to <= child.to);
  }
  return path;
}

/** The smallest node that holds all that is written on these lines. */
function nodeAt(root: SyntaxNode, text: string, { from, to }: LineRange): SyntaxNode | null {
  const lines = text.split("\n");
  const start = lines.slice(0, from - 1).join("\n").length + (from > 1 ? 1 : 0);
  const own = lines.slice(from - 1, to).join("\n");
  const [first, last] = [start + (own.length - own.trimStart().length), start + own.trimEnd().length];
  if (own.trim() === "") return null;
  let found = root;
  for (;;) {
    const inner = found.children.find((child) => child.from <= first && last <= child.to);
    if (!inner) return found === root ? null : found;
    found = inner;
  }
}
