import { type DoubleQuotedChild, type ParameterExpansionPart, parse, type Word, type WordPart } from "unbash";
import { expandBraces } from "./brace-expansion.ts";
import type { Field, Piece } from "./field.ts";
import { transform } from "./parameter-operation.ts";
import { printedBy } from "./printed-by.ts";
import type { Scope } from "./scope.ts";

/** More possibilities of one word than this are one possibility: anything. */
const MOST = 16;

/** What an expansion needs to know besides the word. */
export interface Surroundings {
  scope: Scope;
  /** Where the command may run; `$PWD`. */
  directories: string[];
  /** Range in the judged line that the positions of this script stand for; undefined: they are the line's own. */
  within: { from: number; to: number } | undefined;
  /** Variables that are being resolved, against circles. */
  resolving: ReadonlySet<string>;
}

/** A stretch of text with what decides over splitting. */
interface Chunk {
  piece: Piece;
  quoted: boolean;
  /** The chunk begins a field of its own, as the elements of "$@" do. */
  apart?: boolean;
}

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
  return chunks.length > MOST ? unknown : chunks.map((row) => asFields(row, around.scope, from, to));
}

/** The value of a word where nothing is split: the right side of an assignment, a redirect's target. */
export function expandUnsplit(word: Word, around: Surroundings): Field[] {
  const { from, to } = around.within ?? { from: word.pos, to: word.end };
  const rows = chunksOf(word, around).slice(0, MOST + 1);
  if (rows.length > MOST) return [{ pieces: [{ kind: "computed", text: word.text }], from, to }];
  return rows.map((row) => ({ pieces: joined(row.flatMap(spaced)), from, to }));
}

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
      return variable(part.text.slice(1), part.pos, quoted, around);
    case "ParameterExpansion":
      return parameter(part, quoted, around);
  }
}

function parameter(part: ParameterExpansionPart, quoted: boolean, around: Surroundings): Chunk[][] {
  const { parameter: name, prefix, index, operation, text } = part;
  if (prefix === "#") return [[{ piece: { kind: "tame", text }, quoted }]];
  if (prefix === "!") return [[{ piece: { kind: "computed", text }, quoted }]];
  const element = index?.value;
  if (element !== undefined && element !== "@" && element !== "*")
    return [[{ piece: { kind: operation ? "computed" : "outer", text }, quoted }]];
  const values = variable(name, part.pos, quoted, around);
  if (operation === undefined) return values;
  if (operation.type === "Default") {
    const operands = expandUnsplit(operation.operand, around).map((field) =>
      field.pieces.map((piece) => ({ piece, quoted })),
    );
    if (operation.operator.endsWith("?")) return values;
    if (operation.operator.endsWith("+")) return [[], ...operands];
    return values.every(isSurelySet) ? values : [...values, ...operands];
  }
  return values.map((row) => [
    {
      piece: transform(
        row.map(({ piece }) => piece),
        operation,
        text,
      ),
      quoted,
    },
  ]);
}

const isSurelySet = (row: Chunk[]): boolean =>
  row.some(({ piece }) => piece.text !== "") && row.every(({ piece }) => piece.kind !== "outer");

const NUMBERS = new Set([
  "#",
  "?",
  "$",
  "!",
  "-",
  "RANDOM",
  "SECONDS",
  "LINENO",
  "UID",
  "EUID",
  "PPID",
  "BASHPID",
  "EPOCHSECONDS",
  "SHLVL",
]);

function variable(name: string, pos: number, quoted: boolean, around: Surroundings): Chunk[][] {
  const { scope, directories, resolving } = around;
  const hole = (kind: "outer" | "computed" | "tame"): Chunk[][] => [[{ piece: { kind, text: `$${name}` }, quoted }]];
  if (NUMBERS.has(name)) return hole("tame");
  if (/^\d+$|^[@*]$/.test(name)) return positional(name, quoted, around);
  if (scope.opaque || name === "OLDPWD" || name === "_" || resolving.has(name)) return hole("computed");
  const givers = scope.givers.get(name);
  if (givers === undefined) {
    if (name === "PWD") return directories.map((text) => [{ piece: { kind: "text", text }, quoted }]);
    if (name === "HOME") return [[{ piece: { kind: "text", text: "~" }, quoted }]];
    if (name === "TMPDIR") return [[{ piece: { kind: "text", text: "/tmp" }, quoted }]];
    return hole("outer");
  }
  const inner = { ...around, resolving: new Set([...resolving, name]) };
  const rows: Chunk[][] = givers.some((giver) => giver.pos < pos && pos < giver.until) ? [] : hole("outer");
  for (const { value } of givers) {
    if (value.kind !== "words") rows.push(...hole(value.kind));
    else if (value.holds === "array") rows.push(...arrayChunks(value.words, quoted, inner));
    else for (const word of value.words) rows.push(...valueChunks(word, value.holds === "each", quoted, inner));
    if (rows.length > MOST) return hole("computed");
  }
  return rows;
}

/** Words of a loop are split before they become a value, so each of their fields is one possibility. */
function valueChunks(word: Word, isEach: boolean, quoted: boolean, around: Surroundings): Chunk[][] {
  const fields = isEach ? expandWord(word, around).flat() : expandUnsplit(word, around);
  return fields.map((field) => field.pieces.map((piece) => ({ piece, quoted })));
}

function arrayChunks(words: readonly Word[], quoted: boolean, around: Surroundings): Chunk[][] {
  const rows = product(
    words.map((word) => expandWord(word, around).map((fields) => fields.flatMap((field) => asElement(field, quoted)))),
  );
  return rows;
}

const asElement = (field: Field, quoted: boolean): Chunk[] =>
  field.pieces.map((piece, index) => ({ piece, quoted, apart: index === 0 }));

function positional(name: string, quoted: boolean, { scope }: Surroundings): Chunk[][] {
  const { positional: fields, positionalMoves } = scope;
  if (positionalMoves) return [[{ piece: { kind: "computed", text: `$${name}` }, quoted }]];
  if (fields === undefined || name === "0") {
    return [[{ piece: { kind: name === "0" ? "computed" : "outer", text: `$${name}` }, quoted }]];
  }
  if (name === "@" || name === "*") return [fields.flatMap((field) => asElement(field, quoted))];
  const field = fields[Number(name) - 1];
  return [field === undefined ? [] : field.pieces.map((piece) => ({ piece, quoted }))];
}

function asFields(row: Chunk[], scope: Scope, from: number, to: number): Field[] {
  const fields: Field[] = [];
  let current: Piece[] | undefined;
  const close = () => {
    if (current) fields.push({ pieces: joined(current), from, to });
    current = undefined;
  };
  const add = (piece: Piece) => {
    current ??= [];
    current.push(piece);
  };
  for (const { piece, quoted, apart } of row) {
    if (apart) close();
    if (quoted || piece.kind !== "text") add(piece);
    else if (scope.separatorChanged) add({ kind: "computed", text: piece.text });
    else {
      piece.text.split(/[ \t\n]+/).forEach((text, index) => {
        if (index > 0) close();
        if (text !== "") add(globbed(text));
      });
    }
  }
  close();
  return fields;
}

/** Unquoted text out of a variable is matched against file names. */
const globbed = (text: string): Piece => ({ kind: /[*?[]/.test(text) ? "glob" : "text", text });

/** Neighbouring texts become one, so that a prefix is seen whole. */
function joined(pieces: Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (piece.kind === "text" && piece.text === "") continue;
    if (piece.kind === "text" && last?.kind === "text")
      result[result.length - 1] = { kind: "text", text: last.text + piece.text };
    else result.push(piece);
  }
  return result;
}

/** All combinations; past the limit only the first ones, which the callers take for "anything". */
function product(columns: Chunk[][][]): Chunk[][] {
  let rows: Chunk[][] = [[]];
  for (const column of columns) {
    rows = combined(rows, column);
    if (rows.length > MOST * 4) rows = rows.slice(0, MOST * 4);
  }
  return rows;
}

function together(words: Field[][][]): Field[][] | undefined {
  let rows: Field[][] = [[]];
  for (const word of words) {
    rows = combined(rows, word);
    if (rows.length > MOST) return undefined;
  }
  return rows;
}

/** Every row with every choice behind it. A single choice is put on the rows themselves: long lines stay linear. */
export function combined<T>(rows: T[][], choices: T[][]): T[][] {
  const [only] = choices;
  if (choices.length !== 1 || only === undefined)
    return rows.flatMap((row) => choices.map((items) => [...row, ...items]));
  for (const row of rows) for (const item of only) row.push(item);
  return rows;
}
