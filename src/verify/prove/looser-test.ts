import { lessExact } from "./less-exact.ts";

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

/** What stands in quotes may say anything. */
const withoutTexts = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
