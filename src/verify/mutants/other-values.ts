import type { SourceFile } from "../../languages/language.ts";
import { grammarOf } from "../../syntax/parse.ts";
import { longestCommonLines } from "../change/common-lines.ts";
import { withGoneEntries } from "./gone-entries.ts";
import { another } from "./spoil-data.ts";

const LARGEST = 100_000;
/** Each costs a run of tests. */
const MOST_VALUES = 40;

/**
 * A text of data with each changed value made another, one at a time; and where something went away or a sign is
 * another, with that piece as it was, and with what is gone beside the rest. Null: these are more values than are tried.
 */
export function otherValues({ path, content }: SourceFile, before: string): string[] | null {
  if (grammarOf(path) !== null) return [];
  if (content.length > LARGEST || before.length > LARGEST) return null;
  const pieces = piecesOf(before, content).flatMap((piece) => othersOf(content, piece));
  const others = [...pieces, ...(before === "" ? [] : withGoneEntries(path, content, before))];
  const different = [...new Set(others)].filter((other) => !saysTheSame(path, other, content));
  return different.length > MOST_VALUES ? null : different;
}

/** Where a text is another, and what stood there. */
interface Piece {
  from: number;
  to: number;
  old: string;
}

const TOKEN = /[\p{L}\p{N}_]+|\s+|./gsu;
const WORD = /[\p{L}\p{N}_]+/gu;

function piecesOf(before: string, after: string): Piece[] {
  const [old, now]: string[][] = [before.match(TOKEN) ?? [], after.match(TOKEN) ?? []];
  if (!old || !now) return [];
  const pieces: Piece[] = [];
  let [next, at] = [{ old: 0, now: 0 }, 0];
  for (const match of [...longestCommonLines(old, now), { old: old.length, now: now.length }]) {
    const text = now.slice(next.now, match.now).join("");
    const gone = old.slice(next.old, match.old).join("");
    if (text !== "" || gone !== "") pieces.push({ from: at, to: at + text.length, old: gone });
    at += text.length + (now[match.now]?.length ?? 0);
    next = { old: match.old + 1, now: match.now + 1 };
  }
  return pieces;
}

function othersOf(content: string, { from, to, old }: Piece): string[] {
  const now = content.slice(from, to);
  const put = (start: number, end: number, text: string) => content.slice(0, start) + text + content.slice(end);
  const words = [...now.matchAll(WORD)].map((word) => from + word.index + word[0].length);
  const others = words.map((end) => put(end - 1, end, another(content.slice(end - 1, end))));
  // No word of the new text stands for a sign (`-5`), or for a line that went.
  const rest = (text: string) => text.replace(WORD, "");
  const isMore = rest(now) !== rest(old) || (old.match(WORD) ?? []).length > words.length;
  return isMore ? [...others, put(from, to, old)] : others;
}

/** How JSON is laid out says nothing. */
function saysTheSame(path: string, a: string, b: string): boolean {
  if (!path.endsWith(".json")) return a === b;
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return a === b;
  }
}
