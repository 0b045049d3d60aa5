/**
 * Small changes of a regular expression, as text: what is repeated otherwise, a lost anchor, a class with a
 * member less, a lost alternative. Every operator of the pattern has at least one. They need not be valid; those that are not,
 * nobody can run.
 */
export function otherPatterns(pattern: string): string[] {
  const found: string[] = [];
  const put = (from: number, to: number, text: string) => found.push(pattern.slice(0, from) + text + pattern.slice(to));
  for (const { index, 0: token } of pattern.matchAll(TOKENS)) {
    const end = index + token.length;
    if (token.startsWith("[")) for (const other of otherClasses(token)) put(index, end, other);
    else if (token === "|") put(index, alternativeEnd(pattern, end), "");
    else for (const other of OTHERS[token] ?? counted(token)) put(index, end, other);
  }
  return found;
}

/** A class as a whole, an escape, what opens a group, how often, and where. */
const TOKENS = /\[(?:\\.|[^\]\\])*\]|\\.|\(\?(?:<?[=!]|[:P<a-zA-Z])|\{\d+(?:,\d*)?\}|[*+?^$|.]/gs;

const OTHERS: Record<string, string[]> = {
  "*": ["+"],
  "+": ["*"],
  "?": [""],
  "^": [""],
  $: [""],
  ".": ["\\."],
  "\\b": [""],
  "\\B": [""],
  "\\A": [""],
  "\\Z": [""],
  "\\d": ["\\D"],
  "\\D": ["\\d"],
  "\\w": ["\\W"],
  "\\W": ["\\w"],
  "\\s": ["\\S"],
  "\\S": ["\\s"],
  "\\.": ["."],
  "(?=": ["(?!"],
  "(?!": ["(?="],
  "(?<=": ["(?<!"],
  "(?<!": ["(?<="],
};

function counted(token: string): string[] {
  const [, least = "0"] = /^\{(\d+)/.exec(token) ?? [];
  return token.startsWith("{") ? [token.replace(/^\{\d+/, `{${Number(least) + 1}`).replace(/,\d+\}/, ",}")] : [];
}

/** Without its last member, and turned round. With one more that nobody thought of, no honest test would notice it. */
function otherClasses(token: string): string[] {
  const [, sign = "", members = ""] = /^\[(\^?)(.*)\]$/s.exec(token) ?? [];
  const last = /(?:\\.|[^\\])(?:-(?:\\.|[^\\]))?$/s.exec(members)?.[0] ?? "";
  const fewer = members.slice(0, members.length - last.length);
  return [...(fewer === "" ? [] : [`[${sign}${fewer}]`]), `[${sign === "" ? "^" : ""}${members}]`];
}

/** Where the alternative ends that begins here. */
function alternativeEnd(pattern: string, from: number): number {
  let depth = 0;
  for (const { index, 0: token } of pattern.slice(from).matchAll(/\[(?:\\.|[^\]\\])*\]|\\.|[()|]/gs)) {
    if (token === "(") depth += 1;
    else if (token === ")" && depth > 0) depth -= 1;
    else if (token === ")" || (token === "|" && depth === 0)) return from + index;
  }
  return pattern.length;
}
