/*
 * Of a long file a role is shown the parts that its task speaks of, and the names of what is left out. What it needs
 * beyond them it can read. Fixed rules choose the parts, so that a replay shows the same.
 */

/** A file up to this length is shown in full: to leave out less would cost more turns than it saves. */
const SHORT = 6000;
/** How much of a longer file is shown. */
const ROOM = 5000;
/** The first lines say what a file uses. */
const HEAD_LINES = 12;
/** A part of a file that is longer than this is shown by its inner parts. */
const UNIT_LINES = 60;
/** A word that stands in more lines than this does not tell one part from another. */
const COMMON = 12;
const NAMED = 30;

/** The parts of a text that `about` names something of, with a note where lines are left out. Null if its lines are too long. */
export function excerpt(text: string, about: string): string | null {
  if (text.length <= SHORT) return text;
  const lines = text.split("\n");
  const shown = new Set<number>();
  let room = ROOM;
  const show = (from: number, to: number) => {
    const fresh = range(from, to).filter((line) => !shown.has(line));
    const size = fresh.reduce((sum, line) => sum + (lines[line]?.length ?? 0) + 1, 0);
    if (size > room) return;
    room -= size;
    for (const line of fresh) shown.add(line);
  };
  show(0, Math.min(HEAD_LINES, lines.length));
  for (const hit of hits(lines, about)) {
    for (const [from, to] of unitsAround(lines, hit)) show(from, to);
  }
  return shown.size === 0 ? null : withNotes(lines, shown);
}

/** Lines that hold a name of `about`, those of the rarest names first: a name that is everywhere says nothing. */
function hits(lines: string[], about: string): number[] {
  const named = new Set(about.match(WORD) ?? []);
  const found = new Map<string, number[]>();
  for (const [line, text] of lines.entries()) {
    for (const word of new Set(text.match(WORD) ?? [])) {
      if (named.has(word)) found.set(word, [...(found.get(word) ?? []), line]);
    }
  }
  const telling = [...found.values()].filter((own) => own.length <= COMMON);
  const isDefinition = (line: number) => (DEFINITION.test(lines[line] ?? "") ? 0 : 1);
  const ordered = telling.sort((a, b) => a.length - b.length).flat();
  return [...new Set(ordered)].sort((a, b) => isDefinition(a) - isDefinition(b));
}

const WORD = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;
const DEFINITION =
  /^\s*(?:export\s+|default\s+|pub\s+|async\s+|static\s+)*(?:def|class|function\*?|func|fn|const|let|interface|type|enum|struct)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** The part that a line stands in: a function or the like. Of a class that is too long its head, and the method. */
function unitsAround(lines: string[], hit: number): [number, number][] {
  const units: [number, number][] = [];
  let [from, to] = [0, lines.length];
  for (let deep = 0; deep < 6; deep += 1) {
    const depth = Math.min(...range(from, to).flatMap((line) => (isBlank(lines[line]) ? [] : [indent(lines[line])])));
    const starts = range(from, to).filter((line) => startsUnit(lines, line, depth));
    const start = starts.findLast((line) => line <= hit);
    if (start === undefined) return [...units, [hit, hit + 1]];
    const end = starts.find((line) => line > hit) ?? to;
    if (end - start <= UNIT_LINES) return [...units, [start, end]];
    if (start === hit) return [...units, [hit, Math.min(end, hit + UNIT_LINES)]];
    units.push([start, start + 1]);
    [from, to] = [start + 1, end];
  }
  return units;
}

/** A line of this depth that begins something: neither a closing bracket nor the text below a comment or decorator. */
function startsUnit(lines: string[], line: number, depth: number): boolean {
  const text = lines[line] ?? "";
  if (isBlank(text) || indent(text) !== depth || /^\s*(?:[)\]}]|else\b|elif\b|except\b|finally\b|catch\b)/.test(text))
    return false;
  const before = lines[line - 1] ?? "";
  return !(indent(before) === depth && /^\s*(?:@|#|\/\/|\*|\/\*)/.test(before));
}

function withNotes(lines: string[], shown: Set<number>): string {
  const parts: string[] = [];
  let left: number[] = [];
  const note = () => {
    const [first] = left;
    const last = left.at(-1);
    if (first === undefined || last === undefined) return;
    if (left.every((line) => isBlank(lines[line]))) parts.push("");
    else parts.push(`… lines ${first + 1} to ${last + 1} left out${namesIn(left.map((line) => lines[line] ?? ""))} …`);
    left = [];
  };
  for (const [line, text] of lines.entries()) {
    if (!shown.has(line)) left.push(line);
    else {
      note();
      parts.push(text);
    }
  }
  note();
  return parts.join("\n");
}

/** What is defined in lines that are left out, without what is inside of it. */
function namesIn(lines: string[]): string {
  const found = lines.flatMap((line) => {
    const name = DEFINITION.exec(line)?.[1];
    return name === undefined ? [] : [{ name, depth: indent(line) }];
  });
  const depth = Math.min(...found.map((one) => one.depth));
  const names = found.filter((one) => one.depth === depth).map(({ name }) => name);
  const more = names.length - NAMED;
  return names.length === 0 ? "" : `: ${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
const isBlank = (text: string | undefined): boolean => (text ?? "").trim() === "";
const indent = (text: string | undefined): number => /^\s*/.exec(text ?? "")?.[0].length ?? 0;
