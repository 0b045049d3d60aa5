import type { SyntaxNode } from "../../syntax/parse.ts";

/** Of one kind, with nothing in common. */
const SAME_KIND = 0.2;
/** Comparing all with all takes too long beyond this many. */
const MOST_COMPARED = 2_500;

/** Which of the old nodes became which of the new ones, in order: as much likeness as can be had together. */
export function alignNodes(
  old: readonly SyntaxNode[],
  now: readonly SyntaxNode[],
  oldWords: (node: SyntaxNode) => string[],
  newWords: (node: SyntaxNode) => string[],
  least = SAME_KIND,
): { old: number; now: number }[] {
  if (old.length * now.length > MOST_COMPARED) return [];
  const [before, after] = [old.map(oldWords), now.map(newWords)];
  const worth = (i: number, j: number): number => {
    const [one, other] = [old[i], now[j]];
    if (!one?.named || !other?.named || one.type !== other.type) return 0;
    const likeness = SAME_KIND + (1 - SAME_KIND) * shared(before[i] ?? [], after[j] ?? []);
    return likeness >= least ? likeness : 0;
  };
  // The best that can be had from each pair of places on.
  const best = Array.from({ length: old.length + 1 }, () => new Float64Array(now.length + 1));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const taken = worth(i, j);
      const row = best[i];
      if (row) row[j] = Math.max(at(i + 1, j), at(i, j + 1), taken > 0 ? taken + at(i + 1, j + 1) : 0);
    }
  }
  const matches: { old: number; now: number }[] = [];
  for (let [i, j] = [0, 0]; i < old.length && j < now.length; ) {
    const taken = worth(i, j);
    if (taken > 0 && at(i, j) === taken + at(i + 1, j + 1)) {
      matches.push({ old: i, now: j });
      [i, j] = [i + 1, j + 1];
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return matches;
}

/** The share of words that both have. */
function shared(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let both = 0;
  for (const word of other) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    both += 1;
    left.set(word, count - 1);
  }
  return (2 * both) / Math.max(1, one.length + other.length);
}
