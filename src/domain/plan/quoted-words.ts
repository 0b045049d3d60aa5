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

const partsOf = (quote: string): string[] => quote.split(/…|\.\.\./);

/** With a space on either side, so that a word is found as a whole. */
const wordsOf = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
