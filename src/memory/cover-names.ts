import { isKnown } from "./signature/known-names.ts";

export interface CoveredText {
  text: string;
  words: number;
  covered: number;
}

const COVER = "…";
const QUOTED = /`[^`\n]{1,200}`|"[^"\n]{1,200}"|(?<![\p{L}\p{N}])'[^'\n]{1,200}'/gu;
const WORD = /[@~./\\]*[\p{L}\p{N}_$](?:[\p{L}\p{N}_$./\\@:-]*[\p{L}\p{N}_$])?(?:\(\))?/gu;
/** A word that is put together like a name of code or a path: `load_price`, `loadPrice`, `shop/cart.py`, `v2x`. */
const NAME_LIKE = /[_$\\/@()]|\p{L}\.\p{L}|[\p{Ll}\p{N}]\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
/** The names of errors are what makes a lesson be found, and codes are of a tool. */
const ERROR_NAME = /^[A-Z][A-Za-z]*(?:Error|Exception|Warning)$|^(?:TS|E|ERR_)[A-Z_\d]{2,60}$/;
/** `R1`: a requirement of the plan. */
const NUMBERED = /^[A-Z]\d{1,3}$/;
const OF_LANGUAGES = new Set("I Python JavaScript TypeScript Go Node npm pytest e.g i.e".split(" "));
const SHORTEST_NAME = 4;

/**
 * Covers what names one project: quoted names, paths, names that are made like those of code, capitalised names inside of a
 * sentence, and every word of `own`. Plain small words stay: nobody can tell whose they are.
 */
export function coverNames(text: string, own: ReadonlySet<string>): CoveredText {
  const names = new Set([...own].map((name) => name.toLowerCase()));
  const long = [...names].filter((name) => name.length >= SHORTEST_NAME);
  let words = 0;
  let covered = 0;
  const unquoted = text.replace(QUOTED, (quoted) => (isKnown(quoted.slice(1, -1)) ? quoted : COVER));
  const done = unquoted.replace(WORD, (word, at: number) => {
    words += 1;
    const begins = /(?:^|[.!?:]\s+|\n\s*[-*]?\s*)$/.test(unquoted.slice(Math.max(0, at - 8), at));
    if (!isOwn(word, begins, names, long)) return word;
    covered += 1;
    return COVER;
  });
  return { text: done.replace(/…(?:\s*…)+/g, COVER), words, covered };
}

function isOwn(word: string, beginsSentence: boolean, names: ReadonlySet<string>, long: readonly string[]): boolean {
  const lower = word.toLowerCase();
  if (names.has(lower) || long.some((name) => lower.includes(name))) return true;
  if (OF_LANGUAGES.has(word) || ERROR_NAME.test(word) || NUMBERED.test(word) || isGeneral(word)) return false;
  if (/^[\p{N}.,:/-]+$/u.test(word)) return false;
  if (NAME_LIKE.test(word)) return true;
  return /^\p{Lu}\p{Ll}/u.test(word) && !beginsSentence;
}

/** `dict.get`, `utf-8`, `Django`: names of languages and of common libraries. */
const isGeneral = (word: string): boolean => {
  const bare = word.replace(/\(\)$/, "");
  return isKnown(bare) || isKnown(bare.toLowerCase()) || bare.split(".").every((part) => part !== "" && isKnown(part));
};

const DEFINITION =
  /\b(?:def|class|function\*?|func|const|let|var|type|interface|struct|enum)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu;

/** The names that a piece of code defines, but for those that every project has. */
export const definedNames = (code: string): string[] =>
  [...code.matchAll(DEFINITION)].flatMap(([, name = ""]) => (name.length < 3 || isKnown(name) ? [] : [name]));
