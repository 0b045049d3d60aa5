/**
 * The words of a text, for full text and for hashing: lower case. Names of several parts also give their parts
 * (`getUserName` → get user name getusername). Kinds such as <path> are words, too. Limited in number.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (words.length >= MOST_WORDS) break;
    if (token.startsWith("<")) {
      words.push(`${KIND}${token.slice(1, -1)}`);
      continue;
    }
    const parts = token
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
      .split(/[ _$]+/);
    const whole = token.replace(/[_$]/g, "").toLowerCase();
    for (const part of parts) if (part.length > 1 || parts.length === 1) words.push(part.toLowerCase());
    if (parts.length > 1 && whole.length > 1) words.push(whole);
  }
  return words;
}

/** The prefix of words that stand for a kind. */
export const KIND = "kind";

/** Each word, and each pair of neighbours as one word, `a_b`: full text has no other way to use nearness. */
export function withPairs(words: readonly string[]): string[] {
  return words.flatMap((word, index) => (index === 0 ? [word] : [word, `${words[index - 1]}_${word}`]));
}

const MOST_WORDS = 1000;
const TOKEN = /<[a-z]{1,10}>|[\p{L}_$][\p{L}\p{N}_$]{0,63}|\p{N}{1,16}/gu;

export const uniqueWords = (words: readonly string[]): string[] => [...new Set(words)].filter((word) => word !== "");

/** More words than these say nothing new and cost time. */
const MOST_QUERY_WORDS = 64;

/** The words for a search in an index. */
export const queryWords = (words: readonly string[]): string[] => uniqueWords(words).slice(0, MOST_QUERY_WORDS);
