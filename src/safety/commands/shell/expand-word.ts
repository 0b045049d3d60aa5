import { type DoubleQuotedChild, parse, type Word, type WordPart } from "unbash";
import { expandBraces } from "./brace-expansion.ts";
import { asFields, type Chunk, combined, joined, MOST_VALUES, product } from "./chunks.ts";
import type { Field, Piece } from "./field.ts";
import { printedBy } from "./printed-by.ts";
import type { Surroundings } from "./surroundings.ts";
import { parameter, variable, type WordExpansion } from "./variable-values.ts";

/** Every possibility is a list of fields: one word may become none, one or several. */
export function expandWord(word: Word, around: Surroundings): Field[][] {
  const { from, to } = around.within ?? { from: word.pos, to: word.end };
  const unknown: Field[][] = [[{ pieces: [{ kind: "computed", text: word.text }], from, to }]];
  if (word.parts?.some(({ type }) => type === "BraceExpansion")) {
    const texts = expandBraces(word.text);
    if (texts === undefined) return unknown;
    if (texts.length > 1 || texts[0] !== word.text)
      return together(texts.map((text) => expandWord(reread(text, word), around))) ?? unknown;
  }
  const chunks = chunksOf(word, around);
  return chunks.length > MOST_VALUES ? unknown : chunks.map((row) => asFields(row, around.scope, from, to));
}

/** The value of a word where nothing is split: the right side of an assignment, a redirect's target. */
export function expandUnsplit(word: Word, around: Surroundings): Field[] {
  const { from, to } = around.within ?? { from: word.pos, to: word.end };
  const rows = chunksOf(word, around).slice(0, MOST_VALUES + 1);
  if (rows.length > MOST_VALUES) return [{ pieces: [{ kind: "computed", text: word.text }], from, to }];
  return rows.map((row) => ({ pieces: joined(row.flatMap(spaced)), from, to }));
}

const expansion: WordExpansion = { split: expandWord, unsplit: expandUnsplit };

/** Elements of an array that become one text have a blank between them. */
const spaced = ({ piece, apart }: Chunk, index: number): Piece[] =>
  apart && index > 0 ? [{ kind: "text", text: " " }, piece] : [piece];

/** A here-document's body, whose parts are no word. */
export function expandParts(parts: readonly WordPart[], around: Surroundings): Piece[] {
  const [row = []] = product(parts.map((part) => partChunks(part, false, around)));
  return joined(row.map(({ piece }) => piece));
}

function reread(text: string, original: Word): Word {
  const [statement] = parse(`_ ${text}`).commands;
  const word = statement?.command.type === "Command" ? statement.command.args[0] : undefined;
  // What comes out of braces keeps the place of the whole word.
  if (word?.type !== "Word") return { type: "Word", text, value: text, pos: original.pos, end: original.end };
  return { type: "Word", text, value: word.value, pos: original.pos, end: original.end, parts: word.parts };
}

function chunksOf(word: Word, around: Surroundings): Chunk[][] {
  const parts = word.parts;
  if (parts === undefined) {
    if (word.text === "") return [[]];
    return [[{ piece: { kind: "text", text: word.value }, quoted: true }]];
  }
  return product(parts.map((part) => partChunks(part, false, around)));
}

function partChunks(part: WordPart | DoubleQuotedChild, quoted: boolean, around: Surroundings): Chunk[][] {
  const one = (piece: Piece, isQuoted = quoted): Chunk[][] => [[{ piece, quoted: isQuoted }]];
  switch (part.type) {
    case "Literal":
      return one({ kind: "text", text: part.value }, true);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return one({ kind: "text", text: part.value }, true);
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.length === 0
        ? one({ kind: "text", text: "" }, true)
        : product(part.parts.map((child) => partChunks(child, true, around)));
    case "Glob":
    case "ExtendedGlob":
      return one({ kind: "glob", text: part.text });
    case "BraceExpansion":
      // Braces that expand to nothing are text, and what is quoted in them is not worth reading.
      return one({ kind: /^[\w{}.,/+-]*$/.test(part.text) ? "text" : "computed", text: part.text });
    case "ArithmeticExpansion":
      return one({ kind: "tame", text: part.text });
    case "ProcessSubstitution":
      return one({ kind: "pipe", text: part.text });
    case "CommandExpansion":
      return printedBy(part, around).map((piece) => [{ piece, quoted }]);
    case "SimpleExpansion":
      return variable(part.text.slice(1), part.pos, quoted, around, expansion);
    case "ParameterExpansion":
      return parameter(part, quoted, around, expansion);
  }
}

function together(words: Field[][][]): Field[][] | undefined {
  let rows: Field[][] = [[]];
  for (const word of words) {
    rows = combined(rows, word);
    if (rows.length > MOST_VALUES) return undefined;
  }
  return rows;
}
