import type { Mutant } from "../../domain/evidence/mutant-report.ts";

const QUOTE = /["'`]/;

/**
 * Whether a mutant only changes words of a text of which the spec says nothing: how a message is put, an encoding. No
 * requirement can decide about them, so nobody is asked.
 */
export function isWording(
  { operator, from, to }: Pick<Mutant, "operator" | "from" | "to">,
  content: string,
  said: string,
): boolean {
  if (operator !== "constant") return false;
  const literal = content.slice(from, to);
  const inner = QUOTE.test(literal.at(-1) ?? "") ? literal.replace(/^[A-Za-z]{0,2}(["'`]+)(.*)\1$/s, "$2") : literal;
  const isText = inner !== literal || QUOTE.test(content.slice(Math.max(0, from - 1), from));
  const words = inner.match(/\p{L}{3,}/gu) ?? [];
  const spoken = said.toLowerCase();
  return isText && words.length > 0 && !words.some((word) => spoken.includes(word.toLowerCase()));
}
