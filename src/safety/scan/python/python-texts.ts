import {
  add,
  character,
  fromBase32,
  fromBase64,
  fromHex,
  join,
  pieceOf,
  pieceOfAll,
  rotate13,
} from "../reading/fold-text.ts";
import { type Argument, singles } from "../reading/use.ts";
import {
  HOLE,
  letters,
  list,
  MOST_ITEMS,
  number,
  text,
  UNKNOWN,
  type Value,
  type Values,
  wholeText,
} from "../reading/value.ts";

/** Methods of texts and lists that put texts together. Bytes are texts here. */
export function foldMethod(object: Value & { kind: "text" | "list" }, method: string, args: Argument[]): Value {
  const [first, second] = singles(args);
  if (object.kind === "list") {
    if (method === "copy") return object;
    return UNKNOWN;
  }
  const content = object.text;
  switch (method) {
    case "join":
      if (first?.kind === "list") return join(first.items, content);
      if (first?.kind === "text") return text([...first.text].join(content), true);
      return text(HOLE, true);
    case "decode":
      return fromCodec(object, first) ?? object;
    case "encode":
      return fromCodec(object, first) ?? object;
    case "format":
      return text(format(content, args), true);
    case "replace":
      if (first?.kind !== "text" || second?.kind !== "text") return text(HOLE, true);
      return text(content.replaceAll(first.text, second.text), true);
    case "lower":
    case "casefold":
      return text(content.toLowerCase(), true);
    case "upper":
      return text(content.toUpperCase(), true);
    case "swapcase":
      return text(
        content.replace(/./gs, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())),
        true,
      );
    case "strip":
    case "lstrip":
    case "rstrip":
      return stripped(content, method, first);
    case "removeprefix":
      return first?.kind === "text" && content.startsWith(first.text)
        ? text(content.slice(first.text.length), true)
        : object;
    case "removesuffix":
      return first?.kind === "text" && content.endsWith(first.text)
        ? text(content.slice(0, content.length - first.text.length), true)
        : object;
    case "split":
    case "rsplit":
      return list(content.split(pieceOf(first ?? text(" "))).map((one): Values => [text(one, true)]));
    case "translate":
    case "zfill":
    case "expandtabs":
    case "__add__":
      return method === "__add__" && first ? add(object, first) : text(HOLE, true);
    case "__str__":
    case "__repr__":
    case "title":
    case "capitalize":
      return object;
    case "hex":
      return text(Buffer.from(content).toString("hex"), true);
    default:
      return UNKNOWN;
  }
}

/** Functions that give a text or a list of known things; null: not one of them. */
export function foldFunction(path: string, args: Argument[]): Value | null {
  const [first, second] = singles(args);
  switch (path) {
    case "builtins.chr":
      return text(character(first), true);
    case "builtins.ord": {
      const code = wholeText(first)?.codePointAt(0);
      return code === undefined ? UNKNOWN : number(code);
    }
    case "builtins.str":
    case "builtins.bytes":
    case "builtins.bytearray":
    case "builtins.memoryview":
    case "builtins.repr":
    case "builtins.ascii":
      if (first?.kind === "list") return text(first.items.map(([one]) => character(one)).join(""), true);
      return first?.kind === "text" ? text(first.text, true) : null;
    case "builtins.int": {
      if (first?.kind === "number") return number(Math.trunc(first.number));
      const value = Number.parseInt(
        wholeText(first) ?? "",
        second?.kind === "number" && second.number >= 2 && second.number <= 36 ? second.number : 10,
      );
      return Number.isNaN(value) ? null : number(value);
    }
    case "builtins.list":
    case "builtins.tuple":
    case "builtins.iter":
    case "builtins.next":
    case "builtins.sorted":
    case "builtins.reversed": {
      const items = itemsOf(first);
      if (!items) return null;
      if (path === "builtins.next") return items[0]?.[0] ?? UNKNOWN;
      if (path === "builtins.sorted") return list(items.toSorted((a, b) => (pieceOfAll(a) < pieceOfAll(b) ? -1 : 1)));
      return list(path === "builtins.reversed" ? items.toReversed() : items);
    }
    case "builtins.zip":
    case "builtins.enumerate": {
      const columns = args.map(({ values }) => itemsOf(values[0]));
      if (columns.some((column) => column === null || column.length > 256)) return null;
      const rows = columns[0] ?? [];
      if (path === "builtins.enumerate") return list(rows.map((row, at): Values => [list([[number(at)], row])]));
      return list(rows.map((_, at): Values => [list(columns.map((column) => column?.[at] ?? [UNKNOWN]))]));
    }
    case "builtins.str.join":
    case "builtins.bytes.join":
      return first?.kind === "text" && second?.kind === "list" ? join(second.items, first.text) : UNKNOWN;
    case "builtins.str.lower":
      return first?.kind === "text" ? text(first.text.toLowerCase(), true) : UNKNOWN;
    case "builtins.bytes.fromhex":
    case "builtins.bytearray.fromhex":
    case "binascii.unhexlify":
    case "binascii.a2b_hex":
    case "base64.b16decode":
      return fromHex(first);
    case "base64.b64decode":
    case "base64.standard_b64decode":
    case "base64.urlsafe_b64decode":
    case "base64.decodebytes":
    case "binascii.a2b_base64":
      return fromBase64(first);
    case "base64.b32decode":
      return fromBase32(first);
    case "codecs.decode":
    case "codecs.encode":
      return fromCodec(first, second) ?? UNKNOWN;
    case "os.path.join":
      return join(
        args.map(({ values }) => values),
        "/",
      );
    default:
      return null;
  }
}

function fromCodec(value: Value | undefined, codec: Value | undefined): Value | null {
  const by = (wholeText(codec) ?? "utf8").toLowerCase().replace(/[-_]/g, "");
  if (by.startsWith("rot")) return value?.kind === "text" ? text(rotate13(value.text), true) : UNKNOWN;
  if (by.startsWith("hex")) return fromHex(value);
  if (by.startsWith("base64")) return fromBase64(value);
  if (/^(utf|ascii|latin|cp|iso|unicodeescape|idna)/.test(by)) return value ?? null;
  return text(HOLE, true);
}

const itemsOf = (value: Value | undefined): readonly Values[] | null => {
  if (value?.kind === "list") return value.items;
  const whole = wholeText(value);
  return whole === null || whole.length > MOST_ITEMS ? null : letters(whole, true);
};

function format(content: string, args: Argument[]): string {
  let next = 0;
  const positional = args.filter(({ keyword }) => keyword === null);
  return content.replace(/\{\{|\}\}|\{(\w*)[^{}]*\}/g, (whole, key: string | undefined) => {
    if (whole === "{{" || whole === "}}") return whole.charAt(0);
    const argument =
      key === undefined || key === ""
        ? positional[next++]
        : /^\d+$/.test(key)
          ? positional[Number(key)]
          : args.find(({ keyword }) => keyword === key);
    return argument ? pieceOfAll(argument.values) : HOLE;
  });
}

function stripped(content: string, method: string, what: Value | undefined): Value {
  const set = what?.kind === "text" ? new Set(what.text) : new Set(" \t\n\r\f\v");
  let from = 0;
  let to = content.length;
  if (method !== "rstrip") while (from < to && set.has(content.charAt(from))) from += 1;
  if (method !== "lstrip") while (to > from && set.has(content.charAt(to - 1))) to -= 1;
  return text(content.slice(from, to), true);
}
