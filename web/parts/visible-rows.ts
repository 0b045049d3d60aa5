/** Where each row begins; one more than there are rows, so that the last one is the height of all. */
export function startsOf(heights: readonly number[]): number[] {
  const starts = [0];
  for (const height of heights) starts.push((starts.at(-1) ?? 0) + height);
  return starts;
}

/** The rows that reach into this part: the first of them, and the one behind the last. */
export function rowsBetween(starts: readonly number[], from: number, to: number): { first: number; behind: number } {
  const rows = starts.length - 1;
  // The first row that ends behind `from`.
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle + 1] ?? 0) > from) high = middle;
    else low = middle + 1;
  }
  let behind = low;
  while (behind < rows && (starts[behind] ?? 0) < to) behind += 1;
  return { first: low, behind };
}
