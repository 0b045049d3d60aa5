import { isUtf8 } from "node:buffer";
import { type Grammar, grammarOf } from "./parse.ts";

/**
 * Why our parsers, the language's own reader and a person may read this text differently; null when it is plain. What is
 * odd is not judged at all: nobody can say what a line of it does. By its bytes alone, without a lexer that could itself
 * be misled, so also in strings: there each of these can be written as an escape.
 */
export function oddSource(path: string, bytes: Buffer, grammar: Grammar | null = grammarOf(path)): string | null {
  if (grammar === null) return null;
  if (!isUtf8(bytes)) return "it holds bytes that are not UTF-8";
  const text = bytes.toString("utf8");
  for (const [pattern, why] of ODD) {
    const found = pattern.exec(text);
    if (found) return `line ${lineOf(text, found.index)} holds ${why}`;
  }
  return grammar === "python" ? cookieOf(text) : null;
}

/** A form feed is none of them: every reader takes it for a blank. */
const ODD: [RegExp, string][] = [
  [/\0/, "a NUL, at which some readers stop"],
  [/\r(?!\n)/, "a carriage return without a line feed, which ends a line for some readers and not for others"],
  [/[\u2028\u2029]/, "a line or paragraph separator, which ends a line for some readers and not for others"],
  [/[\v\x1c-\x1e\x85]/, "a control character that ends a line for some readers and not for others"],
  [/(?<!^)\ufeff/, "a byte order mark that is not at the beginning"],
  [/[\u202a-\u202e\u2066-\u2069]/, "a character that turns the direction of the text"],
];

const COOKIE = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;
const UTF8 = /^utf[-_]?8([-_]sig)?$/i;
/** They read every text that has no other characters as UTF-8 does. */
const LIKE_ASCII = /^((us[-_])?ascii|latin[-_]?1|iso[-_]8859[-_]\d+|cp125\d|windows[-_]125\d)$/i;
const ASCII = /^[\t\n\f\r -~]*$/;

/** Python lets the first two lines say how the bytes are to be read. */
function cookieOf(text: string): string | null {
  for (const line of text.replace(/^\ufeff/, "").split("\n", 2)) {
    const said = COOKIE.exec(line)?.[1];
    if (said === undefined || UTF8.test(said) || (LIKE_ASCII.test(said) && ASCII.test(text))) continue;
    return `it says that it is written in ${said.slice(0, 40)}, and not in UTF-8`;
  }
  return null;
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;
