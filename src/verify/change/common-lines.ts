/** The same line at two places, counted from 0. */
interface CommonLine {
  old: number;
  now: number;
}

/** Beyond this many differences two texts count as having nothing in common between their equal ends. */
const MOST_DIFFERENCES = 1_000;

/** What both have, in order: equal beginnings and ends first, then the fewest differences between (Myers). */
export function longestCommonLines(old: string[], now: string[]): CommonLine[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const middle = fewestDifferences(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return [
    ...Array.from({ length: start }, (_, index) => ({ old: index, now: index })),
    ...middle.map((match) => ({ old: match.old + start, now: match.now + start })),
    ...Array.from({ length: end }, (_, index) => ({ old: old.length - end + index, now: now.length - end + index })),
  ];
}

function fewestDifferences(old: string[], now: string[]): CommonLine[] {
  if (old.length === 0 || now.length === 0) return [];
  const limit = Math.min(old.length + now.length, MOST_DIFFERENCES);
  /** For each number of differences: how far each diagonal got. */
  const trace: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let differences = 0; differences <= limit; differences += 1) {
    const further = new Map(reach);
    trace.push(reach);
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const down = goesDown(reach, diagonal, differences);
      let x = down ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      further.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return walkBack(trace, old.length, now.length);
    }
    reach = further;
  }
  return [];
}

function goesDown(reach: Map<number, number>, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

function walkBack(trace: Map<number, number>[], oldLength: number, nowLength: number): CommonLine[] {
  const found: CommonLine[] = [];
  let [x, y] = [oldLength, nowLength];
  for (let differences = trace.length - 1; differences >= 0; differences -= 1) {
    const reach = trace[differences] ?? new Map<number, number>();
    const diagonal = x - y;
    const before = goesDown(reach, diagonal, differences) ? diagonal + 1 : diagonal - 1;
    const beforeX = differences === 0 ? 0 : (reach.get(before) ?? 0);
    const beforeY = differences === 0 ? 0 : beforeX - before;
    while (x > beforeX && y > beforeY) {
      x -= 1;
      y -= 1;
      found.push({ old: x, now: y });
    }
    [x, y] = [beforeX, beforeY];
  }
  return found.reverse();
}
