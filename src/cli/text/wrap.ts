import { widthOf } from "./printable.ts";

/** Marks and numbers at the beginning of a line: what follows them is what further lines stand under. */
const MARKS = /^\s*(?:(?:[✓✗●◐○▸•·–]|R\d+)\s+)*/u;

/** Breaks a line between words, never after more than so many columns. Further lines stand under the first word. */
export function wrap(text: string, columns: number): string[] {
  if (widthOf(text) <= columns) return [text];
  const marks = MARKS.exec(text)?.[0] ?? "";
  const wide = widthOf(marks) || 2;
  // Where hardly anything would fit beside them, they are not stood under.
  const indent = wide > columns / 2 ? "" : " ".repeat(wide);
  const lines: string[] = [];
  let open = marks;
  let isBare = true;
  for (const word of text.slice(marks.length).split(" ")) {
    const joined = isBare ? open + word : `${open} ${word}`;
    if (!isBare && widthOf(joined) > columns) {
      lines.push(open.trimEnd());
      open = indent + word;
    } else open = joined;
    isBare = false;
    if (widthOf(open) <= columns) continue;
    const [heads, last] = pieces(open, columns, indent);
    lines.push(...heads);
    open = last;
  }
  return [...lines, open.trimEnd()];
}

/** A word that is wider than the terminal, in lines that are not, and the last of them. */
function pieces(text: string, columns: number, indent: string): [string[], string] {
  const full: string[] = [];
  let open = "";
  let width = 0;
  for (const character of text) {
    const own = widthOf(character);
    if (width + own > columns && width > indent.length) {
      full.push(open);
      open = indent;
      width = indent.length;
    }
    open += character;
    width += own;
  }
  return [full, open];
}

/** The least that a column is good for. */
const COLUMN = 20;

/** A line of a list, `  --json   as JSON`: where it is broken, what is said of the entry stays beside it. */
export function wrapEntry(text: string, columns: number): string[] {
  const [entry = ""] = /^ {2}\S.*? {2,}(?=\S)/.exec(text) ?? [];
  const wide = widthOf(entry);
  if (entry === "" || columns - wide < COLUMN) return wrap(text, columns);
  const [first = "", ...more] = wrap(text.slice(entry.length), columns - wide);
  return [entry + first, ...more.map((part) => " ".repeat(wide) + part.trimStart())];
}

/** A page that was broken for wide terminals, for one of so many columns: its paragraphs are set anew. */
export function reflow(page: string, columns: number): string {
  const joined = page.replaceAll(/(?<=^\S.{79,})\n(?=\S)(?!\S*:$)/gm, " ");
  return joined
    .split("\n")
    .flatMap((text) =>
      wrapEntry(text, columns).map((part, at) => (at > 0 && !/^\s/.test(text) ? part.trimStart() : part)),
    )
    .join("\n");
}
