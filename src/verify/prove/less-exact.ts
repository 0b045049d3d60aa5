/** Of JavaScript and Python: `equal(a, b)` and its kin, and what is said after `expect(a)`. */
const EQUAL = /^(assert)?(deep|strict)*Equals?$|^(is|same|deepEqual|assert\w+Equal)$/i;
const TO_EQUAL = /^(toBe|toEqual|toStrictEqual|equal|equals|eql|eq)$/;
const OPENING = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const CLOSING = new Set(OPENING.values());

/** What the old text compares with a value, and the new one asks for without comparing it with any. */
export function lessExact(was: string, is: string): string | null {
  const [old, now] = [was.match(WORD) ?? [], is.match(WORD) ?? []];
  const kept = compared(now);
  const said = ` ${now.join(" ")} `;
  const isLost = (one: string) => {
    if (kept.has(one) || !said.includes(` ${one} `)) return false;
    // A name may stand for it now.
    const names = said.split(` ${one} `).flatMap((before) => /(?:^| )([\w$]+) :?=(?: await)?$/.exec(before)?.[1] ?? []);
    return ![...kept].some((other) => other.split(" ").some((word) => names.includes(word)));
  };
  const lost = [...compared(old)].find(isLost);
  return lost?.replace(/ (?=[([.,)\]])|(?<=[([.]) /g, "") ?? null;
}

const WORD = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[\w$]+|[=!<>]=+|=>|:=|[^\s\w$]/g;

/** All that is compared with a value in so many words. */
function compared(words: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const [at, word] of words.entries()) {
    if (/^={2,3}$/.test(word)) found.add(words.slice(startOf(words, at), at).join(" "));
    if (words[at + 1] !== "(") continue;
    if (EQUAL.test(word) && words[at - 1] !== ")") found.add(firstOf(words, at + 2));
    if (word === "expect") {
      const first = firstOf(words, at + 2);
      const [, dot, said = ""] = words.slice(at + 2 + first.split(" ").length);
      if (dot === "." && (TO_EQUAL.test(said) || said === "to")) found.add(first);
    }
  }
  for (const one of found) if (!/[A-Za-z_$]/.test(one.replace(/"[^"]*"|'[^']*'/g, ""))) found.delete(one);
  return found;
}

/** The first thing that is given to a call. */
function firstOf(words: readonly string[], from: number): string {
  let depth = 0;
  let to = from;
  for (; to < words.length; to += 1) {
    const word = words[to] ?? "";
    if (depth === 0 && (word === "," || CLOSING.has(word))) break;
    if (OPENING.has(word)) depth += 1;
    if (CLOSING.has(word)) depth -= 1;
  }
  return words.slice(from, to).join(" ");
}

/** Where the expression begins that ends before a place. */
function startOf(words: readonly string[], end: number): number {
  let depth = 0;
  for (let at = end - 1; at >= 0; at -= 1) {
    const word = words[at] ?? "";
    if (CLOSING.has(word)) depth += 1;
    if (OPENING.has(word)) depth -= 1;
    if (depth < 0 || (depth === 0 && /^(assert|and|or|not|if|in|return|await|;|,|=|:|&|\||!|=>)$/.test(word)))
      return at + 1;
  }
  return 0;
}
