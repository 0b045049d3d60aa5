import type { SyntaxNode } from "../../../syntax/parse.ts";

/**
 * What an expression may be, as far as it can be told without running it. An expression has a list of these: every
 * assignment of a name counts, whichever comes last. What cannot be told is the name `?`, never nothing.
 */
export type Value =
  | {
      readonly kind: "name";
      /** Dotted: `os.system`, `child_process.exec`, `sqlite3.connect().cursor`, `?.execute`; `?` is what nobody knows. */
      readonly name: string;
      /** Reached by reflection or by a text, and not by writing it down. */
      readonly hidden: boolean;
    }
  | {
      readonly kind: "text";
      /** HOLE stands for a part that cannot be told. */
      readonly text: string;
      /** Put together from pieces or decoded. */
      readonly assembled: boolean;
    }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "flag"; readonly flag: boolean | null }
  | { readonly kind: "list"; readonly items: readonly (readonly Value[])[] }
  | { readonly kind: "map"; readonly entries: ReadonlyMap<string, readonly Value[]> }
  | { readonly kind: "function"; readonly node: SyntaxNode };

export type Values = readonly Value[];

export const HOLE = "\u0000";

/** Bounds, so that no text of a hostile author makes the reading of it expensive. */
const MOST_VALUES = 8;
export const MOST_ITEMS = 4096;
const MOST_TEXT = 65_536;
const MOST_NAME = 300;

export const UNKNOWN: Value = { kind: "name", name: "?", hidden: false };
export const UNKNOWNS: Values = [UNKNOWN];

export function name(path: string, hidden = false): Value {
  return path.length > MOST_NAME ? UNKNOWN : { kind: "name", name: path, hidden };
}

export function text(content: string, assembled = false): Value {
  return content.length > MOST_TEXT ? UNKNOWN : { kind: "text", text: content, assembled };
}

export const flag = (value: boolean | null): Value => ({ kind: "flag", flag: value });
export const number = (value: number): Value => ({ kind: "number", number: value });
export const list = (items: readonly Values[]): Value =>
  items.length > MOST_ITEMS ? UNKNOWN : { kind: "list", items };

/** The text, when all of it is known. */
export function wholeText(value: Value | undefined): string | null {
  return value?.kind === "text" && !value.text.includes(HOLE) ? value.text : null;
}

/** Without repetition and bounded; too many possibilities are one that nobody knows. */
export function union(...groups: Values[]): Values {
  const [first] = groups;
  if (groups.length <= 1 || groups.every((group) => group === first)) return first ?? UNKNOWNS;
  const all: Value[] = [];
  let last: Values | undefined;
  for (const group of groups) {
    if (group === last) continue;
    last = group;
    for (const value of group) {
      if (all.some((known) => isSame(known, value))) continue;
      if (all.length === MOST_VALUES - 1) return [...all, UNKNOWN];
      all.push(value);
    }
  }
  return all;
}

function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind === "name") return b.kind === "name" && a.name === b.name && a.hidden === b.hidden;
  if (a.kind === "text") return b.kind === "text" && a.text === b.text && a.assembled === b.assembled;
  if (a.kind === "number") return b.kind === "number" && a.number === b.number;
  if (a.kind === "flag") return b.kind === "flag" && a.flag === b.flag;
  return a.kind === "function" && b.kind === "function" && a.node === b.node;
}

/** Each value by itself, and all answers together. */
export function each(values: Values, change: (value: Value) => Values): Values {
  const [only] = values;
  return only && values.length === 1 ? change(only) : union(...values.map(change));
}

/** Each value with each other one. */
export const eachPair = (left: Values, right: Values, change: (one: Value, other: Value) => Values): Values =>
  each(left, (one) => each(right, (other) => change(one, other)));

export const hide = (value: Value): Value => (value.kind === "name" ? name(value.name, true) : value);

export const isHidden = (value: Value): boolean => value.kind === "name" && value.hidden;

/** The characters of a text, one by one. */
export const letters = (whole: string, assembled: boolean): Values[] => [...whole].map((one) => [text(one, assembled)]);

/** What every item of a list may be. */
export function itemsOf(values: Values): Values {
  return each(values, (value) => {
    if (value.kind === "list") return value.items.length === 0 ? UNKNOWNS : union(...value.items.slice(0, 64));
    if (value.kind === "map") {
      return union(...[...value.entries.keys()].slice(0, 64).map((key) => [text(key)]), UNKNOWNS);
    }
    if (value.kind === "text" && !value.text.includes(HOLE)) {
      return union(...[...value.text].slice(0, 64).map((character) => [text(character)]), UNKNOWNS);
    }
    return UNKNOWNS;
  });
}

/** One item of what was unpacked into several names. */
export function itemAt(values: Values, index: number): Values {
  return each(values, (value) => {
    if (value.kind !== "list") return UNKNOWNS;
    return value.items.at(index) ?? UNKNOWNS;
  });
}
