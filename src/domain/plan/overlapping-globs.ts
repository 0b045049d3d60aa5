/**
 * Whether some path may match both globs, as file scopes read them: a glob that names a directory covers what is below
 * it, one without a slash counts at any depth, `!glob` denies and so shares nothing. In doubt they overlap.
 */
export function overlap(one: string, other: string): boolean {
  if (one.startsWith("!") || other.startsWith("!")) return false;
  return namesOverlap(anchored(one), anchored(other));
}

function anchored(glob: string): string[] {
  const trimmed = glob.replace(/\/+$/, "");
  const names = trimmed
    .replace(/^\//, "")
    .split("/")
    .filter((name) => name !== "." && name !== "");
  return [...(trimmed.includes("/") ? [] : ["**"]), ...names, "**"];
}

/** Two lists of names with `**` for any number of them: can both be read as one path? Each pair of places is met once. */
function namesOverlap(one: string[], other: string[]): boolean {
  let behind: boolean[] = [];
  for (let i = one.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = other.length; j >= 0; j -= 1) {
      const [first, second] = [one[i], other[j]];
      const skip = (first === "**" && behind[j]) || (second === "**" && row[j + 1]);
      const both = first !== undefined && second !== undefined && behind[j + 1] && nameOverlaps(first, second);
      const grows = (first === "**" && second !== undefined && row[j + 1]) || (second === "**" && first && behind[j]);
      row[j] = Boolean(skip || both || grows || (first === undefined && second === undefined));
    }
    behind = row;
  }
  return behind[0] === true;
}

const WILD = /[*?[\]{}\\]/;

/** Names with wildcards are compared by what stands before the first and behind the last one. */
function nameOverlaps(one: string, other: string): boolean {
  if (!WILD.test(one) && !WILD.test(other)) return one === other;
  const [begin, end] = fixedEnds(one);
  const [otherBegin, otherEnd] = fixedEnds(other);
  const fits = begin.startsWith(otherBegin) || otherBegin.startsWith(begin);
  return fits && (end.endsWith(otherEnd) || otherEnd.endsWith(end));
}

function fixedEnds(name: string): [string, string] {
  const first = name.search(WILD);
  if (first < 0) return [name, name];
  const last = name.length - [...name].reverse().join("").search(WILD);
  return [name.slice(0, first), name.slice(last)];
}
