import { Highlighter, type Token, type TokenKind } from "../../syntax/highlight.ts";
import { printableLines } from "../text/printable.ts";
import type { Paint, Style } from "./paint.ts";
import { wrapPainted } from "./wrap-painted.ts";

/**
 * A diff as `git` writes it, in colours: what was removed and added, in a line that was changed the words, and of code
 * the keywords, strings and comments. Lines that are wider than so many columns are broken between words.
 */
export function paintDiff(diff: string, paint: Paint, columns = Number.POSITIVE_INFINITY): string {
  const lines = printableLines(diff).split("\n");
  const painted: string[] = [];
  let code: Code | null = null;
  let path = "";
  for (let at = 0; at < lines.length; ) {
    const text = lines[at] ?? "";
    if (text.startsWith("diff --git")) {
      code = null;
      path = text;
    }
    if (text.startsWith("@@")) code = { old: new Highlighter(path), now: new Highlighter(path) };
    if (code && /^[-+]/.test(text)) {
      const removed = runOf(lines, at, "-");
      const added = runOf(lines, at + removed.length, "+");
      painted.push(...paintRuns(removed, added, code, paint));
      at += removed.length + added.length;
      continue;
    }
    if (code && text.startsWith(" ")) {
      code.old.line(text.slice(1));
      painted.push(` ${paintLine([{ text: text.slice(1), same: true }], code.now.line(text.slice(1)), null, paint)}`);
    } else painted.push(paint(text, ...styleOf(text, code !== null)));
    at += 1;
  }
  return painted.flatMap((text) => wrapPainted(text, columns)).join("\n");
}

/** The file before and after, as far as it is shown: what begins on one line may end on another. */
interface Code {
  old: Highlighter;
  now: Highlighter;
}

function styleOf(text: string, inHunk: boolean): Style[] {
  if (text.startsWith("@@")) return ["cyan"];
  return inHunk || text === "" ? [] : ["bold"];
}

function runOf(lines: string[], from: number, sign: string): string[] {
  let end = from;
  while (lines[end]?.startsWith(sign)) end += 1;
  return lines.slice(from, end);
}

/** Lines that were changed, and not only taken away or added, have their words told apart. */
function paintRuns(removed: string[], added: string[], code: Code, paint: Paint): string[] {
  const pairs = removed.length === added.length ? sideBySide(removed, added) : alikeLines(removed, added);
  const show = (text: string, words: Word[] | undefined, side: Highlighter, style: "red" | "green") => {
    const line = text.slice(1);
    return (
      paint(text.slice(0, 1), style) + paintLine(words ?? [{ text: line, same: true }], side.line(line), style, paint)
    );
  };
  return [
    ...removed.map((text, at) => show(text, pairs.find((pair) => pair.from === at)?.words?.old, code.old, "red")),
    ...added.map((text, at) => show(text, pairs.find((pair) => pair.to === at)?.words?.now, code.now, "green")),
  ];
}

/** Words that were changed are marked, whatever they are; the rest has the colour of its line, a little by its kind. */
function paintLine(words: Word[], tokens: Token[], style: "red" | "green" | null, paint: Paint): string {
  const own: Style[] = style ? [style] : [];
  const kinds = tokens.flatMap(({ kind, text }) => Array.from({ length: text.length }, () => kind));
  let at = 0;
  return words
    .map(({ text, same }) => {
      const from = at;
      at += text.length;
      if (!same && style) return paint(text, `${style}On`);
      return piecesOf(text, kinds.slice(from, at))
        .map(([kind, piece]) => paint(piece, ...(KINDS[kind]?.(own) ?? own)))
        .join("");
    })
    .join("");
}

const KINDS: Partial<Record<TokenKind, (own: Style[]) => Style[]>> = {
  keyword: (own) => ["bold", ...own],
  comment: (own) => ["dim", ...own],
  string: () => ["yellow"],
};

/** A text by the kinds of its characters. */
function piecesOf(text: string, kinds: TokenKind[]): [TokenKind, string][] {
  const pieces: [TokenKind, string][] = [];
  for (const [at, kind] of kinds.entries()) {
    const shown = KINDS[kind] ? kind : "plain";
    const last = pieces.at(-1);
    if (last?.[0] === shown) last[1] += text[at] ?? "";
    else pieces.push([shown, text[at] ?? ""]);
  }
  return pieces;
}

interface Pair {
  from: number;
  to: number;
  words: ReturnType<typeof changedWords>;
}

/** As many lines as before: each is the changed form of the one at its place. */
const sideBySide = (removed: string[], added: string[]): Pair[] =>
  removed.map((old, at) => ({ from: at, to: at, words: changedWords(old.slice(1), (added[at] ?? "").slice(1)) }));

/** Longer runs are not compared line by line: each line with each would take too long. */
const MOST_PAIRS = 400;

/** Each removed line with the added one that has most in common with it, in the order of both. */
function alikeLines(removed: string[], added: string[]): Pair[] {
  if (removed.length * added.length > MOST_PAIRS) return [];
  const pairs: Pair[] = [];
  let next = 0;
  for (const [from, old] of removed.entries()) {
    const known = added
      .map((now, to) => ({ from, to, words: to < next ? null : changedWords(old.slice(1), now.slice(1)) }))
      .filter(({ words }) => words !== null && sameOf(words.old) * 2 > old.trim().length);
    const best = known.toSorted((a, b) => sameOf(b.words?.old ?? []) - sameOf(a.words?.old ?? []))[0];
    if (!best) continue;
    pairs.push(best);
    next = best.to + 1;
  }
  return pairs;
}

const sameOf = (words: Word[]): number =>
  words.reduce((sum, { text, same }) => sum + (same ? text.trim().length : 0), 0);

interface Word {
  text: string;
  same: boolean;
}

/** Longer lines are not compared: nobody reads them word by word. */
const MOST_WORDS = 400;

/** Two lines in pieces that both have, and pieces that only one has; null where they have hardly anything in common. */
export function changedWords(old: string, now: string): { old: Word[]; now: Word[] } | null {
  const [before, after] = [wordsOf(old), wordsOf(now)];
  if (before.length > MOST_WORDS || after.length > MOST_WORDS) return null;
  // Of each beginning of both: how many words their longest common sequence has, counted from the end.
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const own = before[row] === after[column];
      const best = own ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      common[row]?.splice(column, 1, best);
    }
  }
  const said: { old: Word[]; now: Word[] } = { old: [], now: [] };
  let [row, column, same] = [0, 0, 0];
  while (row < before.length || column < after.length) {
    const [left = "", right = ""] = [before[row], after[column]];
    if (row < before.length && column < after.length && left === right) {
      push(said.old, left, true);
      push(said.now, right, true);
      same += left.trim().length;
      row += 1;
      column += 1;
    } else if (column >= after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) {
      push(said.old, left, false);
      row += 1;
    } else {
      push(said.now, right, false);
      column += 1;
    }
  }
  return same * 3 < Math.max(old.trim().length, now.trim().length) ? null : said;
}

function push(words: Word[], text: string, same: boolean): void {
  const last = words.at(-1);
  if (last?.same === same) last.text += text;
  else words.push({ text, same });
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
