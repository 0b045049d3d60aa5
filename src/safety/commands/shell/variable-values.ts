import type { ParameterExpansionPart, Word } from "unbash";
import { type Chunk, MOST_VALUES, product } from "./chunks.ts";
import type { Field } from "./field.ts";
import { transform } from "./parameter-operation.ts";
import type { Surroundings } from "./surroundings.ts";

/** How words become fields. Values are words again, so whoever expands words hands this in. */
export interface WordExpansion {
  split(word: Word, around: Surroundings): Field[][];
  unsplit(word: Word, around: Surroundings): Field[];
}

/** `${x…}`: the values of its variable, changed by its operation. */
export function parameter(
  part: ParameterExpansionPart,
  quoted: boolean,
  around: Surroundings,
  expand: WordExpansion,
): Chunk[][] {
  const { parameter: name, prefix, index, operation, text } = part;
  if (prefix === "#") return [[{ piece: { kind: "tame", text }, quoted }]];
  if (prefix === "!") return [[{ piece: { kind: "computed", text }, quoted }]];
  const element = index?.value;
  if (element !== undefined && element !== "@" && element !== "*")
    return [[{ piece: { kind: operation ? "computed" : "outer", text }, quoted }]];
  const values = variable(name, part.pos, quoted, around, expand);
  if (operation === undefined) return values;
  if (operation.type === "Default") {
    const operands = expand
      .unsplit(operation.operand, around)
      .map((field) => field.pieces.map((piece) => ({ piece, quoted })));
    if (operation.operator.endsWith("?"))
      return isUnsetHere(name, around) ? [[{ piece: { kind: "tame", text }, quoted }]] : values;
    if (operation.operator.endsWith("+")) return [[], ...operands];
    if (isUnsetHere(name, around)) return operands;
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

/**
 * A command starts with an empty environment: what the line itself sets nowhere is unset, and its default holds. Inside
 * of `sh -c` an assignment before it may have set anything, and the shell's own variables are never unset.
 */
function isUnsetHere(name: string, { scope, within, resolving }: Surroundings): boolean {
  // `x=${x:-a}` alone gives x no other value.
  const givers = scope.givers.get(name)?.length ?? 0;
  if (within !== undefined || scope.opaque || givers > (resolving.has(name) ? 1 : 0)) return false;
  return /^[A-Za-z]\w*$/.test(name) && !SET_BY_SHELL.test(name) && !NUMBERS.has(name);
}

const SET_BY_SHELL =
  /^(BASH\w*|COMP\w*|READLINE\w*|HOST\w*|MACHTYPE|OSTYPE|REPLY|MAPFILE|COPROC|OPT\w+|DIRSTACK|FUNCNAME|GROUPS|HIST\w*|IFS|PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_\w+|PWD|OLDPWD|TMPDIR|PIPESTATUS|PS\d|COLUMNS|LINES|SRANDOM|EPOCH\w+|TIMEFORMAT|XDG_\w+|SUDO_\w+|MAIL\w*)$/;

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

export function variable(
  name: string,
  pos: number,
  quoted: boolean,
  around: Surroundings,
  expand: WordExpansion,
): Chunk[][] {
  const { scope, directories, resolving } = around;
  around.step();
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
    else if (value.holds === "array") rows.push(...arrayChunks(value.words, quoted, inner, expand));
    else
      for (const word of value.words) {
        // Words of a loop are split before they become a value, so each of their fields is one possibility.
        const fields = value.holds === "each" ? expand.split(word, inner).flat() : expand.unsplit(word, inner);
        rows.push(...fields.map((field) => field.pieces.map((piece) => ({ piece, quoted }))));
      }
    if (rows.length > MOST_VALUES) return hole("computed");
  }
  around.step(rows.reduce((sum, row) => sum + row.length, 0));
  return rows;
}

const arrayChunks = (words: readonly Word[], quoted: boolean, around: Surroundings, expand: WordExpansion): Chunk[][] =>
  product(
    words.map((word) =>
      expand.split(word, around).map((fields) => fields.flatMap((field) => asElement(field, quoted))),
    ),
  );

const asElement = (field: Field, quoted: boolean): Chunk[] =>
  field.pieces.map((piece, index) => ({ piece, quoted, apart: index === 0 }));

function positional(name: string, quoted: boolean, { scope }: Surroundings): Chunk[][] {
  const { positional: fields, positionalMoves, shifts } = scope;
  const hole = (kind: "outer" | "computed"): Chunk[][] => [[{ piece: { kind, text: `$${name}` }, quoted }]];
  if (positionalMoves || name === "0") return hole("computed");
  if (fields === undefined) return hole(shifts ? "computed" : "outer");
  // How often a shift has run by now is not told: every rest counts.
  const rests = shifts ? fields.map((_, index) => fields.slice(index)) : [fields];
  if (rests.length > MOST_VALUES) return hole("computed");
  if (name === "@" || name === "*") return rests.map((rest) => rest.flatMap((field) => asElement(field, quoted)));
  return rests.map((rest) => rest[Number(name) - 1]?.pieces.map((piece) => ({ piece, quoted })) ?? []);
}
