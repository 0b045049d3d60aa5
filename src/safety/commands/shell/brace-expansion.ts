/** More words than this are not looked at one by one. */
const MOST = 64;

/**
 * Brace expansion as bash does it: on the text, before anything else. Undefined when it would give more than we look at.
 * Quotes, backslashes and `${…}` are stepped over, so their braces stay.
 */
export function expandBraces(text: string, most = MOST): string[] | undefined {
  if (text.split("{", most + 2).length > most + 1) return undefined;
  const brace = firstBrace(text);
  if (brace === undefined) return [text];
  const { from, to, items } = brace;
  const tails = expandBraces(text.slice(to), most);
  if (tails === undefined) return undefined;
  const middles: string[] = [];
  for (const item of items) {
    const expanded = expandBraces(item, most);
    if (expanded === undefined) return undefined;
    middles.push(...expanded);
    if (middles.length > most) return undefined;
  }
  if (middles.length * tails.length > most) return undefined;
  return middles.flatMap((middle) => tails.map((tail) => text.slice(0, from) + middle + tail));
}

interface Brace {
  from: number;
  to: number;
  items: string[];
}

function firstBrace(text: string): Brace | undefined {
  for (let at = 0; at < text.length; at = stepOver(text, at)) {
    if (text[at] !== "{") continue;
    const brace = readBrace(text, at);
    if (brace) return brace;
  }
  return undefined;
}

function readBrace(text: string, from: number): Brace | undefined {
  const commas: number[] = [];
  let depth = 0;
  for (let at = from; at < text.length; at = stepOver(text, at)) {
    const character = text[at];
    if (character === "{") depth += 1;
    else if (character === "," && depth === 1) commas.push(at);
    else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      const inner = text.slice(from + 1, at);
      const items = commas.length > 0 ? cut(text, [from, ...commas, at]) : range(inner);
      return items === undefined ? undefined : { from, to: at + 1, items };
    }
  }
  return undefined;
}

const cut = (text: string, ends: number[]): string[] =>
  ends.slice(1).map((end, index) => text.slice((ends[index] ?? 0) + 1, end));

function range(inner: string): string[] | undefined {
  const numbers = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(inner);
  const letters = /^([A-Za-z])\.\.([A-Za-z])$/.exec(inner);
  if (!numbers && !letters) return undefined;
  const [first, last] = numbers
    ? [Number(numbers[1]), Number(numbers[2])]
    : [letters?.[1]?.charCodeAt(0) ?? 0, letters?.[2]?.charCodeAt(0) ?? 0];
  const step = first <= last ? 1 : -1;
  const length = Math.abs(last - first) + 1;
  // The first few stand for a long row of numbers: they differ in nothing that matters.
  return Array.from({ length: numbers ? Math.min(length, 20) : length }, (_, index) => {
    const value = first + index * step;
    return numbers ? String(value) : String.fromCharCode(value);
  });
}

/** The next place that is neither escaped nor quoted. */
function stepOver(text: string, at: number): number {
  const character = text[at];
  if (character === "\\") return at + 2;
  if (character === "'") return closing(text, at, "'");
  if (character === '"') {
    let next = at + 1;
    while (next < text.length && text[next] !== '"') next += text[next] === "\\" ? 2 : 1;
    return next + 1;
  }
  if (character === "`") return closing(text, at, "`");
  if (character === "$" && (text[at + 1] === "{" || text[at + 1] === "(")) return balanced(text, at + 1);
  return at + 1;
}

function closing(text: string, at: number, mark: string): number {
  const end = text.indexOf(mark, at + 1);
  return end === -1 ? text.length : end + 1;
}

function balanced(text: string, at: number): number {
  const [open, close] = text[at] === "{" ? ["{", "}"] : ["(", ")"];
  let depth = 0;
  for (let next = at; next < text.length; next += 1) {
    if (text[next] === "\\") next += 1;
    else if (text[next] === open) depth += 1;
    else if (text[next] === close) depth -= 1;
    if (depth === 0) return next + 1;
  }
  return text.length;
}
