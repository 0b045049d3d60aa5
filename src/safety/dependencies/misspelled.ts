import type { ListedLanguage } from "./dependency-rules.ts";

/** Letters that are taken for each other. */
const LOOKALIKES: [RegExp, string][] = [
  [/[01]/g, "l"],
  [/rn/g, "m"],
  [/vv/g, "w"],
  [/[\u0430]/g, "a"],
  [/[\u0435]/g, "e"],
  [/[\u043e]/g, "o"],
  [/[\u0440]/g, "p"],
  [/[\u0441]/g, "c"],
];

/**
 * The listed name that this one imitates: one slip of the keyboard away, letters swapped, lookalikes, a scope or an
 * affix (`python-`, `-js`, `-dev`) put on, separators changed. Short names need more than one slip to be another word.
 */
export function misspelled(language: ListedLanguage, name: string, listed: string[]): string | undefined {
  const given = reduced(name, language);
  for (const candidate of listed) {
    const wanted = reduced(candidate, language);
    if (given === wanted || looksLike(given) === looksLike(wanted)) return candidate;
    if (wanted.length >= 4 && isOneSlip(given, wanted)) return candidate;
    if (wanted.length >= 8 && isTwoSlips(given, wanted)) return candidate;
  }
  return undefined;
}

function reduced(name: string, language: ListedLanguage): string {
  const small = name.toLowerCase();
  if (language === "go") return small.replace(/\/v\d+$/, "");
  return small
    .replace(/^@[^/]+\//, "")
    .replace(/^(python|py|node|js)[-_.]?(?=\w{3})/, "")
    .replace(/[-_.]?(python|py|js|node|dev|cli|lib|official)$/, "")
    .replace(/[-_.]+/g, "");
}

const looksLike = (name: string): string =>
  LOOKALIKES.reduce((text, [pattern, letter]) => text.replace(pattern, letter), name);

/** One letter more, less or other, or two neighbours swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.length > restB.length) return restA.slice(1) === restB;
  if (restA.length < restB.length) return restA === restB.slice(1);
  if (restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** Two slips, tried where the names still begin alike. */
function isTwoSlips(a: string, b: string): boolean {
  if (a.slice(0, 2) !== b.slice(0, 2) || Math.abs(a.length - b.length) > 2 || a.length > 60) return false;
  for (let index = 2; index < a.length; index += 1) {
    if (isOneSlip(a.slice(0, index) + a.slice(index + 1), b)) return true;
    const swapped = a.slice(0, index) + (a[index + 1] ?? "") + (a[index] ?? "") + a.slice(index + 2);
    if (isOneSlip(swapped, b)) return true;
  }
  return false;
}
