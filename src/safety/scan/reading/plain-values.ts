import type { SyntaxNode } from "../../../syntax/parse.ts";
import { namedChildren } from "./nodes.ts";
import type { FileReading } from "./reading.ts";
import type { Scope } from "./scope.ts";
import {
  letters,
  list,
  MOST_ITEMS,
  number,
  UNKNOWN,
  UNKNOWNS,
  union,
  type Value,
  type Values,
  wholeText,
} from "./value.ts";

/** `1_000` */
export function readNumber(written: string): Values {
  const value = Number(written.replaceAll("_", ""));
  return Number.isNaN(value) ? UNKNOWNS : [number(value)];
}

/** `["a", *b]`, `["a", ...b]`: what a spread list or text holds stands in its place. */
export function readItems(reading: FileReading, node: SyntaxNode, scope: Scope, spread: string): Value {
  const items: Values[] = [];
  for (const one of namedChildren(node)) {
    const values = reading.evaluate(one, scope);
    const [only] = values;
    if (one.type === spread && only?.kind === "list") items.push(...only.items);
    else if (one.type === spread && only?.kind === "text") items.push(...letters(only.text, true));
    else items.push(values);
    if (items.length > MOST_ITEMS) return UNKNOWN;
  }
  return list(items);
}

/** What a known object holds under a key; a key that is not known may be any of them. */
export function entryOf(reading: FileReading, object: Value & { kind: "map" }, key: string | null): Values {
  if (key !== null) return object.entries.get(key) ?? union(...reading.recall(key), UNKNOWNS);
  return union(...object.entries.values(), UNKNOWNS);
}

/** The items of a list or the letters of a text; null where they are not known or too many. */
export function itemsWithin(source: Value | undefined, most: number): readonly Values[] | null {
  const whole = wholeText(source);
  const items = source?.kind === "list" ? source.items : whole === null ? null : letters(whole, false);
  return items && items.length <= most ? items : null;
}

/** Folds items from the left by a call: `reduce(getattr, ["a", "b"], os)`. */
export function folded(
  items: readonly Values[],
  start: Values | undefined,
  most: number,
  call: (left: Values, right: Values) => Values,
): Values {
  const [first, ...rest] = start ? [start, ...items] : items;
  return !first || rest.length > most ? UNKNOWNS : rest.reduce(call, first);
}
