import { entropyOf, isPlaceholder } from "./placeholder.ts";
import type { SecretRules } from "./secret-rule.ts";
import type { SecretSpan } from "./secret-span.ts";

const QUOTED = /["'`]([A-Za-z0-9+/=_-]{20,200})["'`]/g;
const HEXADECIMAL = /^[0-9a-f-]+$/i;
/** Words joined by their case, by dashes or by digits read as names, not as keys. */
const MIXED = /[a-z]/;

/** Texts that look random: letters of both cases and digits, without words. Hashes and UUIDs are hexadecimal, and pass. */
export function* findRandom(text: string, { entropy, placeholders, readable }: SecretRules): Generator<SecretSpan> {
  for (const match of text.matchAll(QUOTED)) {
    const value = match[1] ?? "";
    if (value.length < entropy.shortest || value.length > entropy.longest || HEXADECIMAL.test(value)) continue;
    if (!MIXED.test(value) || !/[A-Z]/.test(value) || (value.match(/\d/g) ?? []).length < 3) continue;
    if (entropyOf(value) < entropy.bits || readsAsWords(value) || isPlaceholder(value, { placeholders, readable }))
      continue;
    // Integrity fields, data and public keys say what they are.
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    if (/(sha\d*-?|integrity|checksum|digest|base64,|hash|alphabet|charset|public)[\s"':=(]{0,8}$/i.test(before))
      continue;
    if (/^(sha\d+-|data:)/.test(value)) continue;
    yield { rule: entropy, from: match.index + 1, to: match.index + 1 + value.length };
  }
}

/** Mostly runs of four and more small letters. */
function readsAsWords(value: string): boolean {
  const words = value.match(/[A-Z]?[a-z]{3,}/g) ?? [];
  return words.join("").length > value.length * 0.5 || /abcdefgh|ABCDEFGH|01234567/.test(value);
}
