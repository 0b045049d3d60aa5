import type { Field, Piece } from "./field.ts";
import type { Scope } from "./scope.ts";

/** More possibilities of one word than this are one possibility: anything. */
export const MOST_VALUES = 16;

/** A stretch of text with what decides over splitting. */
export interface Chunk {
  piece: Piece;
  quoted: boolean;
  /** The chunk begins a field of its own, as the elements of "$@" do. */
  apart?: boolean;
}

/** Cuts a row at its blanks, as the shell does with what is not quoted. */
export function asFields(row: Chunk[], scope: Scope, from: number, to: number): Field[] {
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
export function joined(pieces: Piece[]): Piece[] {
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
export function product(columns: Chunk[][][]): Chunk[][] {
  let rows: Chunk[][] = [[]];
  for (const column of columns) {
    rows = combined(rows, column);
    if (rows.length > MOST_VALUES * 4) rows = rows.slice(0, MOST_VALUES * 4);
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
