/**
 * One argument as the program would receive it, as far as it can be told without running anything. What cannot be told
 * is a hole, and the kind of hole decides where it may stand.
 */
export interface Field {
  pieces: Piece[];
  from: number;
  to: number;
}

export type Piece =
  | { kind: "text"; text: string }
  | { kind: "glob"; text: string }
  /** One word without a slash that is never empty: a number, a date. */
  | { kind: "tame"; text: string }
  /** Set outside of the line, or nowhere: perhaps empty. */
  | { kind: "outer"; text: string }
  /** What some command will print or read: anything. */
  | { kind: "computed"; text: string }
  /** A path that `find` or a listing hands over; `narrowed` when it lies in the workspace and a test chose it. */
  | { kind: "found"; text: string; narrowed: boolean }
  /** The end of a pipe: `<(…)`. */
  | { kind: "pipe"; text: string };

export const textField = (text: string, from: number, to: number): Field => ({
  pieces: text === "" ? [] : [{ kind: "text", text }],
  from,
  to,
});

/** The whole text, or undefined when there is a hole. */
export function literal(field: Field | undefined): string | undefined {
  if (field === undefined) return undefined;
  let text = "";
  for (const piece of field.pieces) {
    if (piece.kind !== "text") return undefined;
    text += piece.text;
  }
  return text;
}

/** As a person would recognise it: holes as they were written. */
export const shown = (field: Field): string => field.pieces.map(({ text }) => text).join("");

/** The known text at the beginning. */
export function leading(field: Field): string {
  let text = "";
  for (const piece of field.pieces) {
    if (piece.kind !== "text") break;
    text += piece.text;
  }
  return text;
}

export const holds = (field: Field, ...kinds: Piece["kind"][]): boolean =>
  field.pieces.some(({ kind }) => kinds.includes(kind));

/** The field without its first characters, for `--name=value` and `if=value`. */
export function after(field: Field, length: number): Field {
  const [first, ...others] = field.pieces;
  if (first === undefined || first.kind !== "text") return field;
  const text = first.text.slice(length);
  const pieces: Piece[] = text === "" ? others : [{ kind: "text", text }, ...others];
  if (first.text.length < length) return after({ ...field, pieces: others }, length - first.text.length);
  return { ...field, pieces };
}

/** Every place where `mark` stands becomes the piece, as `find -exec` and `xargs -I` do it. */
export function substitute(field: Field, mark: string, piece: Piece): Field {
  const pieces = field.pieces.flatMap((part): Piece[] => {
    if (part.kind !== "text" || mark === "" || !part.text.includes(mark)) return [part];
    return part.text
      .split(mark)
      .flatMap((text, index): Piece[] => [
        ...(index > 0 ? [piece] : []),
        ...(text === "" ? [] : [{ kind: "text" as const, text }]),
      ]);
  });
  return { ...field, pieces };
}

/** Words joined by blanks, as eval and `sh -c "$*"` do it. */
export function joinFields(fields: Field[]): Field {
  const [first, ...others] = fields;
  if (first === undefined) return textField("", 0, 0);
  const blank: Piece = { kind: "text", text: " " };
  const pieces = [...first.pieces, ...others.flatMap((field) => [blank, ...field.pieces])];
  const to = others.at(-1)?.to ?? first.to;
  return { pieces, from: first.from, to: Math.max(to, first.to) };
}
