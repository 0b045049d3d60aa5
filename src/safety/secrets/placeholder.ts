/** What stands where a secret will be: `changeme`, `${TOKEN}`, `xxxx`, `<your key>`, a word of a document. */
export function isPlaceholder(
  value: string,
  { placeholders, readable }: { placeholders: readonly string[]; readable: readonly string[] },
): boolean {
  const lower = value.toLowerCase();
  if (placeholders.some((word) => lower.includes(word))) return true;
  if (readable.some((word) => lower.includes(word)) && !isMadeUp(value)) return true;
  if (/^(.)\1*$/.test(value)) return true;
  // Variables and calls of a shell, a template or a program; a path; a range of letters in order.
  if (/^\$|^<.{0,200}>$|^%|\{\{|\$\{|^\{.{0,200}\}$|^process\.env|^os\.|^env[.[(]|^\//.test(value)) return true;
  return /^(?:0?123456789|abcdefgh|qwerty)/i.test(value) || new Set(value).size < 5;
}

/** A password that a person made up of words: long, and of nearly every kind of character. */
function isMadeUp(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value));
  return value.length >= LONG_ENOUGH && kinds.length === 4;
}

const LONG_ENOUGH = 12;

/** Bits per character, by how often each occurs. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
