/**
 * The candidate a person most likely meant, or undefined when none is near: written with a slip, cut short to some of its
 * words (`acceptence` for `acceptance_criteria`), or begun alike (`dependsOn` for `dependencies`).
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  const wanted = lettersOf(word);
  const isWhole = (candidate: string) => [lettersOf(candidate)];
  return closest(wanted, all, isWhole) ?? closest(wanted, all, partsOf) ?? begunAlike(wanted, all);
}

function closest(word: string, candidates: string[], formsOf: (candidate: string) => string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    for (const form of formsOf(candidate)) {
      const distance = editDistance(word, form, least);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
  }
  return best;
}

/** The first words of a name, and its last ones. A short word is a part of too many names. */
function partsOf(candidate: string): string[] {
  const words = candidate.replace(/(?<=[a-z])(?=[A-Z])/g, "_").split(/[_-]/);
  return words
    .flatMap((_, cut) => [words.slice(0, cut), words.slice(cut)])
    .map((some) => lettersOf(some.join("")))
    .filter((part) => part.length >= 4);
}

function begunAlike(word: string, candidates: string[]): string | undefined {
  const enough = Math.max(5, Math.ceil((word.length * 2) / 3));
  return candidates.find(
    (candidate) => lettersOf(candidate).startsWith(word.slice(0, enough)) && word.length >= enough,
  );
}

/** How words are joined, and which letters are large, tells nothing. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[_-]/g, "");

/** ` (did you mean "x"?)`, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? "" : ` (did you mean "${found}"?)`;
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? limit;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let distance = Math.min(replaced, at(row - 1, column) + 1, (current[column - 1] ?? limit) + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        distance = Math.min(distance, at(row - 2, column - 2) + 1);
      }
      current.push(distance);
    }
  }
  return Math.min(limit, at(a.length, b.length));
}
