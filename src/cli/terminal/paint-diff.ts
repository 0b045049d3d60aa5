import { printableLines } from "../text/printable.ts";
import type { Paint, Style } from "./paint.ts";

/** A diff as `git` writes it, in colours: what was removed and added, and in a line that was changed the words. */
export function paintDiff(diff: string, paint: Paint): string {
  const lines = printableLines(diff).split("\n");
  const painted: string[] = [];
  let inHunk = false;
  for (let at = 0; at < lines.length; ) {
    const text = lines[at] ?? "";
    if (text.startsWith("diff --git")) inHunk = false;
    if (text.startsWith("@@")) inHunk = true;
    if (!inHunk || !/^[-+]/.test(text)) {
      painted.push(paint(text, ...styleOf(text, inHunk)));
      at += 1;
      continue;
    }
    const removed = runOf(lines, at, "-");
    const added = runOf(lines, at + removed.length, "+");
    painted.push(...paintRuns(removed, added, paint));
    at += removed.length + added.length;
  }
  return painted.join("\n");
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

/** Runs of the same length are the same lines, changed: their words are told apart. */
function paintRuns(removed: string[], added: string[], paint: Paint): string[] {
  const pairs = removed.length === added.length;
  const whole = (lines: string[], style: Style) => lines.map((text) => paint(text, style));
  if (!pairs) return [...whole(removed, "red"), ...whole(added, "green")];
  const spans = removed.map((old, at) => changedSpans(old.slice(1), (added[at] ?? "").slice(1)));
  const show = (text: string, span: Span | undefined, style: Style, strong: Style) => {
    if (!span) return paint(text, style);
    const [from, to] = [span[0] + 1, span[1] + 1];
    return paint(text.slice(0, from), style) + paint(text.slice(from, to), strong) + paint(text.slice(to), style);
  };
  return [
    ...removed.map((text, at) => show(text, spans[at]?.old, "red", "redOn")),
    ...added.map((text, at) => show(text, spans[at]?.new, "green", "greenOn")),
  ];
}

type Span = [from: number, to: number];

/** The words between what two lines have in common at both ends; null where they have hardly anything in common. */
export function changedSpans(old: string, now: string): { old: Span; new: Span } | null {
  const [before, after] = [wordsOf(old), wordsOf(now)];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const start = before.slice(0, head).join("").length;
  const end = tail === 0 ? 0 : before.slice(-tail).join("").length;
  const same =
    before.slice(0, head).join("").trim().length + (tail === 0 ? 0 : before.slice(-tail).join("").trim().length);
  if (same * 3 < Math.max(old.trim().length, now.trim().length)) return null;
  return { old: [start, old.length - end], new: [start, now.length - end] };
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
