/** Words of a test that say exactly what is wanted: which error, which arguments. */
const EXACT =
  /\bmatch\s*=|\bassert(?:Raises|Warns)Regex\b|\bassert_\w+_with\b|\bassert_(?:any_call|has_calls)\b|\b(?:toHaveBeen\w*|lastC|nthC|c)alledWith\b|\btoThrow(?:Error)?\s*\((?!\s*\))|\b(?:throws|rejects)\s*\((?:[^()]|\([^()]*\))*,/g;

/** Words that let more pass, or look at where the test runs. */
const LOOSE =
  /\b(?:pytest|mark|unittest|self|test|it|describe|t)\s*\.\s*(?:skip\w*|xfail|todo|runIf)\b|\bskip\s*[:=]|\bimportorskip\b|\benviron\b|\bgetenv\b|\bprocess\s*\.\s*env\b|\bsys\s*\.\s*platform\b|\b(?:raises|assertRaises)\s*\(\s*\(?\s*(?:Base)?Exception\b|\bmock\s*\.\s*ANY\b|\bexpect\s*\.\s*(?:any|anything)\b|\btoBe(?:Defined|Truthy)\b|\b(?:approx|isclose|assertAlmostEqual|toBeCloseTo)\b/g;

/** How far a number may be off: the larger the looser; and to how many digits it is looked at: the fewer the looser. */
const OFF = /\b(?:abs|rel|delta|atol|rtol|abs_tol|rel_tol|tolerance|epsilon)\s*[:=]\s*([\d.]+(?:e\s*[+-]?\s*\d+)?)/gi;
const DIGITS = /\b(?:places\s*=|toBeCloseTo\s*\([^()]*,|assertAlmostEqual\s*\([^()]*,[^()]*,)\s*(\d+)/g;

/**
 * Why a test lets more pass than it did, by its words alone; null when they do not say so. Mutants do not always show it:
 * none of them is off by as little as a tolerance, or raises another error.
 */
export function looserThan(was: string, is: string): string | null {
  const [old, now] = [withoutTexts(was), withoutTexts(is)];
  const count = (text: string, what: RegExp) => [...text.matchAll(what)].length;
  if (count(now, LOOSE) > count(old, LOOSE)) return "it looks away where it did not, or at less than it did";
  if (count(now, EXACT) < count(old, EXACT)) return "it says less exactly which error or which arguments it wants";
  const numbers = (text: string, what: RegExp) =>
    [...text.matchAll(what)].map(([, one = ""]) => Number(one.replace(/\s/g, "")));
  const isOff = (what: RegExp, sign: 1 | -1) => {
    const [before, after] = [numbers(old, what), numbers(now, what)];
    return before.length === after.length && after.some((one, index) => (one - (before[index] ?? one)) * sign > 0);
  };
  if (isOff(OFF, 1) || isOff(DIGITS, -1)) return "a number may be further off than before";
  const lost = lessExact(was, is);
  return lost === null ? null : `it says less exactly what \`${lost}\` is`;
}

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
function lessExact(was: string, is: string): string | null {
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

/** What stands in quotes may say anything. */
const withoutTexts = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
