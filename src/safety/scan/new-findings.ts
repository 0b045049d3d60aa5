import type { Finding } from "../../domain/finding.ts";

/**
 * What is in `after` and was not in `before`. A finding is the same wherever its line moved to, as long as rule, path
 * and text are; of several that look alike only as many are old as there were.
 */
export function newFindings(before: Finding[], after: Finding[]): Finding[] {
  const old = new Map<string, number>();
  for (const finding of before) old.set(keyOf(finding), (old.get(keyOf(finding)) ?? 0) + 1);
  return after.filter((finding) => {
    const key = keyOf(finding);
    const left = old.get(key) ?? 0;
    if (left > 0) old.set(key, left - 1);
    return left === 0;
  });
}

/** A finding that blocks is not excused by one of the same text that did not. */
const keyOf = ({ rule, path, excerpt, blocking }: Finding): string =>
  JSON.stringify([rule, path, excerpt.replace(/\s+/g, " ").trim(), blocking]);
