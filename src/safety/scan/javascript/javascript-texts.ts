import { add, character, fromBase64, fromHex, join, pieceOf, pieceOfAll } from "../reading/fold-text.ts";
import { folded } from "../reading/plain-values.ts";
import { type Argument, argument, singles } from "../reading/use.ts";
import {
  each,
  HOLE,
  letters,
  list,
  number,
  text,
  UNKNOWN,
  UNKNOWNS,
  union,
  type Value,
  type Values,
  wholeText,
} from "../reading/value.ts";

/** Calls something with these arguments: `map` and `reduce` do. */
type CallValue = (callee: Value, args: readonly Argument[]) => Values;

/** Methods of texts and arrays that put texts together. */
export function foldMethod(
  object: Value & { kind: "text" | "list" },
  method: string,
  args: readonly Argument[],
  call: CallValue,
): Values {
  if (object.kind === "list") return foldList(object.items, method, args, call);
  const [first, second] = singles(args);
  const content = object.text;
  switch (method) {
    case "concat":
      return [
        args.reduce<Value>(
          (left, { values }) => add(left, values.length === 1 ? (values[0] ?? UNKNOWN) : UNKNOWN),
          object,
        ),
      ];
    case "toString":
    case "valueOf":
    case "normalize":
      return first?.kind === "text" && first.text === "hex" ? [text(HOLE, true)] : [object];
    case "replace":
    case "replaceAll":
      if (first?.kind !== "text" || second?.kind !== "text") return [text(HOLE, true)];
      return [replaced(content, first.text, second.text)];
    case "split":
      return [
        first?.kind === "text"
          ? list(content.split(first.text).map((one) => [text(one, true)]))
          : list(letters(content, true)),
      ];
    case "toLowerCase":
    case "toLocaleLowerCase":
      return [text(content.toLowerCase(), true)];
    case "toUpperCase":
    case "toLocaleUpperCase":
      return [text(content.toUpperCase(), true)];
    case "trim":
    case "trimStart":
    case "trimEnd":
      return [text(content.trim(), true)];
    case "slice":
    case "substring":
    case "substr": {
      const from = first?.kind === "number" ? first.number : 0;
      if (args.length > 1 && second?.kind !== "number") return [text(HOLE, true)];
      const to = second?.kind === "number" ? second.number : undefined;
      if (method === "slice") return [text(content.slice(from, to), true)];
      return [
        text(
          method === "substring"
            ? content.substring(from, to)
            : content.substring(from, to === undefined ? undefined : from + to),
          true,
        ),
      ];
    }
    case "charAt":
    case "at":
      return [text(first?.kind === "number" ? (content.at(first.number) ?? HOLE) : HOLE, true)];
    case "charCodeAt":
    case "codePointAt": {
      const code = content.charCodeAt(first?.kind === "number" ? first.number : 0);
      return Number.isNaN(code) ? UNKNOWNS : [number(code)];
    }
    case "repeat":
      return first?.kind === "number" && first.number * content.length < 4096 && first.number >= 0
        ? [text(content.repeat(first.number), true)]
        : UNKNOWNS;
    case "padStart":
    case "padEnd":
      return [text(HOLE, true)];
    default:
      return UNKNOWNS;
  }
}

function foldList(items: readonly Values[], method: string, args: readonly Argument[], call: CallValue): Values {
  const [first, second] = singles(args);
  const callees = args[0]?.values ?? UNKNOWNS;
  switch (method) {
    case "join":
    case "toString":
      return [join(items, first?.kind === "text" ? first.text : ",")];
    case "reverse":
    case "toReversed":
      return [list(items.toReversed())];
    case "concat":
      return [
        list([...items, ...args.flatMap(({ values }) => (values[0]?.kind === "list" ? values[0].items : [values]))]),
      ];
    case "slice":
      return [
        list(
          items.slice(
            first?.kind === "number" ? first.number : 0,
            second?.kind === "number" ? second.number : undefined,
          ),
        ),
      ];
    case "at":
      return (first?.kind === "number" ? items.at(first.number) : undefined) ?? UNKNOWNS;
    case "pop":
    case "shift":
    case "find":
      return items.length === 0 ? UNKNOWNS : union(...items.slice(0, 16));
    case "filter":
    case "sort":
    case "flat":
      return [list(items)];
    case "map":
      if (items.length > MOST_CALLS) return UNKNOWNS;
      return [list(items.map((item) => each(callees, (callee) => call(callee, [argument(item)]))))];
    case "reduce":
      return folded(items, args[1]?.values, MOST_CALLS, (left, right) =>
        each(callees, (callee) => call(callee, [argument(left), argument(right)])),
      );
    default:
      return UNKNOWNS;
  }
}

/** A list of letters is short; what is not is data. */
const MOST_CALLS = 256;

/** Functions that give a text; null: not one of them. */
export function foldFunction(path: string, args: readonly Argument[]): Value | null {
  const [first, second] = singles(args);
  switch (path) {
    case "String.fromCharCode":
    case "String.fromCodePoint":
      if (args.some(({ spread }) => spread)) return text(HOLE, true);
      return text(args.map(({ values }) => (values.length === 1 ? character(values[0]) : HOLE)).join(""), true);
    case "String.raw":
    case "String":
      return first?.kind === "list" ? text(first.items.map(pieceOfAll).join(","), true) : text(pieceOf(first), true);
    case "Number":
    case "parseInt":
    case "Number.parseInt": {
      const whole = first?.kind === "number" ? String(first.number) : wholeText(first);
      const base = second?.kind === "number" && second.number >= 2 && second.number <= 36 ? second.number : undefined;
      const value = whole === null ? Number.NaN : path === "Number" ? Number(whole) : Number.parseInt(whole, base);
      return Number.isNaN(value) ? null : number(value);
    }
    case "atob":
    case "window.atob":
      return fromBase64(first);
    case "Buffer.from":
    case "buffer.Buffer.from":
    case "Buffer":
      if (first?.kind === "list") return text(first.items.map(([one]) => character(one)).join(""), true);
      if (second?.kind === "text" && second.text === "hex") return fromHex(first);
      if (second?.kind === "text" && second.text.startsWith("base64")) return fromBase64(first);
      return first?.kind === "text" ? text(first.text, true) : null;
    case "Uint8Array":
    case "Uint8Array.from":
    case "Array.of":
    case "Array":
      return path === "Array.of" || (path === "Array" && args.length > 1)
        ? list(args.map(({ values }) => values))
        : first?.kind === "list"
          ? first
          : null;
    case "Array.from": {
      if (first?.kind === "list") return first;
      const whole = wholeText(first);
      return whole === null ? null : list(letters(whole, true));
    }
    case "TextDecoder().decode":
      return first?.kind === "list"
        ? text(first.items.map(([one]) => character(one)).join(""), true)
        : text(HOLE, true);
    case "decodeURIComponent":
    case "decodeURI":
    case "unescape": {
      const whole = wholeText(first);
      if (whole === null) return text(HOLE, true);
      try {
        return text(decodeURIComponent(whole.replace(/%u00/gi, "%")), true);
      } catch {
        return text(HOLE, true);
      }
    }
    default:
      return null;
  }
}

/** Once or everywhere makes no difference to what a disguise is for; a pattern is taken as the text it is. */
function replaced(content: string, what: string, by: string): Value {
  if (what === "") return text(by + content, true);
  const whole = /^\W$|^\w+$/.test(what) ? content.replaceAll(what, by) : HOLE;
  return text(whole, true);
}
