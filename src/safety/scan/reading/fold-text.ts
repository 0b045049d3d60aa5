import { HOLE, MOST_ITEMS, number, text, UNKNOWN, type Value, type Values, wholeText } from "./value.ts";

/** Two texts or numbers put together. */
export function add(left: Value, right: Value): Value {
  if (left.kind === "number" && right.kind === "number") return number(left.number + right.number);
  if (left.kind === "list" && right.kind === "list" && left.items.length + right.items.length <= MOST_ITEMS) {
    return { kind: "list", items: [...left.items, ...right.items] };
  }
  if (left.kind !== "text" && right.kind !== "text") return UNKNOWN;
  // Nothing put to a text leaves it as it was.
  if (left.kind === "text" && right.kind === "text" && (left.text === "" || right.text === "")) {
    return left.text === "" ? right : left;
  }
  return text(pieceOf(left) + pieceOf(right), true);
}

/** What a value looks like inside a text. */
export function pieceOf(value: Value | undefined): string {
  if (value?.kind === "text") return value.text;
  if (value?.kind === "number") return String(value.number);
  return HOLE;
}

export const pieceOfAll = (values: Values): string => (values.length === 1 ? pieceOf(values[0]) : HOLE);

export function join(items: readonly Values[], between: string): Value {
  return text(items.map(pieceOfAll).join(between), true);
}

/** `text[from:to:step]` with Python's meaning of what is left out and of what is negative. */
export function slice<Item>(
  items: readonly Item[],
  from: number | null,
  to: number | null,
  step: number | null,
): Item[] {
  const by = step ?? 1;
  if (by === 0 || !Number.isInteger(by)) return [];
  const size = items.length;
  const clamp = (index: number, low: number, high: number) =>
    Math.min(Math.max(index < 0 ? index + size : index, low), high);
  const first = by > 0 ? clamp(from ?? 0, 0, size) : from === null ? size - 1 : clamp(from, -1, size - 1);
  const last = by > 0 ? (to === null ? size : clamp(to, 0, size)) : to === null ? -1 : clamp(to, -1, size - 1);
  const taken: Item[] = [];
  for (let index = first; by > 0 ? index < last : index > last; index += by) {
    const item = items[index];
    if (item !== undefined) taken.push(item);
  }
  return taken;
}

export const fromBase64 = (value: Value | undefined): Value => decode(value, /^[\w+/=\s-]*$/, "base64");
export const fromBase32 = (value: Value | undefined): Value => {
  const whole = wholeText(value);
  if (whole === null || !/^[A-Z2-7=]*$/i.test(whole)) return UNKNOWN;
  let bits = "";
  for (const character of whole.toUpperCase().replaceAll("=", "")) {
    bits += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(character).toString(2).padStart(5, "0");
  }
  const codes = bits.match(/.{8}/g) ?? [];
  return text(codes.map((code) => String.fromCharCode(Number.parseInt(code, 2))).join(""), true);
};
export const fromHex = (value: Value | undefined): Value => decode(value, /^[0-9a-fA-F\s:]*$/, "hex");

function decode(value: Value | undefined, allowed: RegExp, encoding: "base64" | "hex"): Value {
  const whole = wholeText(value);
  if (whole === null || !allowed.test(whole)) return UNKNOWN;
  const compact = encoding === "hex" ? whole.replace(/[\s:]/g, "") : whole;
  return text(Buffer.from(compact, encoding).toString("utf8").replaceAll(HOLE, ""), true);
}

export function rotate13(content: string): string {
  return content.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}

/** A character of this number, or a hole. */
export function character(value: Value | undefined): string {
  if (value?.kind !== "number" || !(value.number >= 1 && value.number <= 0x10ffff)) return HOLE;
  return String.fromCodePoint(Math.trunc(value.number));
}

/** `\x65`, `\u0065`, `\u{65}`, `\145`, `\n`: the escapes that Python, JavaScript and Go share. */
export function unescaped(sequence: string): string {
  const body = sequence.slice(1);
  const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|u\{([0-9a-fA-F]{1,6})\})$/.exec(body);
  if (hex) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? hex[4] ?? "0", 16);
    return code >= 1 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  }
  if (/^[0-7]{1,3}$/.test(body)) return String.fromCharCode(Number.parseInt(body, 8) || 0xfffd);
  if (body === "\n" || body === "\r\n") return "";
  const simple: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", a: "\u0007" };
  return simple[body] ?? body;
}

/** An arithmetic operation, or nothing. */
export function calculate(operator: string, left: number, right: number): Value {
  const result = arithmetic(operator, left, right);
  return result === null || !Number.isFinite(result) ? UNKNOWN : number(result);
}

function arithmetic(operator: string, left: number, right: number): number | null {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "//":
      return Math.floor(left / right);
    case "%":
      return left % right;
    case "^":
      return left ^ right;
    case "|":
      return left | right;
    case "&":
      return left & right;
    case "<<":
      return right >= 0 && right < 31 ? left << right : null;
    case ">>":
      return right >= 0 && right < 31 ? left >> right : null;
    case "**":
      return left ** right;
    default:
      return null;
  }
}
