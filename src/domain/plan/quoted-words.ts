/** Whether a person's text says these words. Spaces, punctuation and case do not count; `…` stands for anything. */
export function isQuoted(text: string, quote: string | undefined): boolean {
  if (quote === undefined || wordsOf(quote).trim() === "") return false;
  return partsOf(quote).every((part) => wordsOf(text).includes(wordsOf(part).replace(/^ +$/, "")));
}

const SHORTEST = 8;

/** Stricter, for where a quote gives up something the person wanted: a lone "the" is in nearly every text. */
export function isAmplyQuoted(text: string, quote: string | undefined): boolean {
  if (quote === undefined || !isQuoted(text, quote)) return false;
  const enough = Math.min(SHORTEST, wordsOf(text).trim().length);
  return partsOf(quote).some((part) => wordsOf(part).trim().length >= enough);
}

/** Words that stand in nearly every sentence, and so tell nothing of what it is about. */
const EMPTY = new Set(
  (
    "the and for with that this from into must should shall will can may not are was has have its when where which " +
    "who all any each every one then than but also only new make makes write use uses file module function"
  ).split(" "),
);

/** Whether a quote can be about what a requirement says: they share a word that tells something, in any of its forms. */
export function isAbout(quote: string, requirement: string): boolean {
  const [said, wanted] = [quote, requirement].map((text) => wordsOf(text).trim().split(" "));
  const isAlike = (a: string, b: string) =>
    a === b || (Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a)));
  const telling = (said ?? []).filter((word) => word !== "" && !EMPTY.has(word));
  // Words that tell nothing are better than none to go by.
  return (telling.length > 0 ? telling : (said ?? [])).some((word) => wanted?.some((other) => isAlike(word, other)));
}

const partsOf = (quote: string): string[] => quote.split(/…|\.\.\./);

/** With a space on either side, so that a word is found as a whole. */
const wordsOf = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
