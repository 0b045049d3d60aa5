import { type Line, line, type Tone } from "../text/line.ts";
import { printableLines } from "../text/printable.ts";
import { wrap } from "../text/wrap.ts";
import { hasColor, type Output, type Terminal } from "./terminal.ts";

/** Styles by their numbers (ECMA-48). The sixteen colours are the person's own, so that they fit every background. */
const STYLES = {
  bold: "1",
  dim: "2",
  red: "31",
  green: "32",
  yellow: "33",
  cyan: "36",
  redOn: "31;7",
  greenOn: "32;7",
} as const;

export type Style = keyof typeof STYLES;
export type Paint = (text: string, ...styles: Style[]) => string;

/** Puts styles around a text, or leaves it as it is where there are no colours. */
export const painter =
  (color: boolean): Paint =>
  (text, ...styles) =>
    color && styles.length > 0 && text !== ""
      ? `\u001b[${styles.map((style) => STYLES[style]).join(";")}m${text}\u001b[0m`
      : text;

const TONES: Record<Tone, Style[]> = {
  plain: [],
  head: ["bold", "cyan"],
  good: ["green"],
  bad: ["red"],
  warn: ["yellow"],
  dim: ["dim"],
};

const MARKS: Record<string, Style[]> = {
  "✓": ["green"],
  "●": ["green"],
  "✗": ["red"],
  "◐": ["yellow"],
  "○": ["dim"],
  "–": ["yellow"],
};

/** A line as it is shown: broken at words, in the colour of its tone. Of a plain one the mark alone has a colour. */
export function paintLine({ text, tone }: Line, columns: number, paint: Paint): string[] {
  const styles = TONES[tone];
  return wrap(text, columns).map((part, at) => {
    if (styles.length > 0) return paint(part, ...styles);
    const [, space = "", mark = "", rest = part] = (at === 0 && /^(\s*)([✓✗●◐○–])(.*)$/u.exec(part)) || [];
    const told = rest.replace("(assumption)", (word) => paint(word, "yellow"));
    return `${space}${paint(mark, ...(MARKS[mark] ?? []))}${told}`;
  });
}

/** Columns that may be written to: the last one stays free, because some terminals wrap there. */
export const columnsOf = ({ columns }: Output): number => Math.max(10, columns || 80) - 1;

/** Lines for a stream: as a person reads them on a terminal, and unbroken where a program reads them. */
export function linesFor(terminal: Terminal, output: Output, lines: Line[]): string {
  if (output.isTTY !== true) return lines.map(({ text }) => `${text}\n`).join("");
  const paint = painter(hasColor(terminal, output));
  const columns = columnsOf(output);
  return lines
    .flatMap((one) => paintLine(one, columns, paint))
    .map((text) => `${text}\n`)
    .join("");
}

/** What is said beside the results: an error, a warning. */
export function say(
  terminal: Terminal,
  text: string,
  tone: Tone = text.startsWith("warning:") ? "warn" : "plain",
): void {
  const lines = printableLines(text).split("\n");
  terminal.error.write(
    linesFor(
      terminal,
      terminal.error,
      lines.map((one) => line(one, tone)),
    ),
  );
}
