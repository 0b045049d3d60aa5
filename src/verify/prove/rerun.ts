/** What came of running again a part of what a bundle tells. */
export interface Rerun {
  tests: number;
  mutants: number;
  /** One line for each thing that came out differently. */
  differences: string[];
  /** One line for each thing that could not be run again, which is nobody's fault. */
  notRepeated: string[];
  /** Whether all was run again that the verdict rests on. */
  settled: boolean;
}

export const NOTHING_RUN: Rerun = { tests: 0, mutants: 0, differences: [], notRepeated: [], settled: true };

export const together = (runs: readonly Rerun[]): Rerun => ({
  tests: runs.reduce((sum, { tests }) => sum + tests, 0),
  mutants: runs.reduce((sum, { mutants }) => sum + mutants, 0),
  differences: runs.flatMap(({ differences }) => differences),
  notRepeated: runs.flatMap(({ notRepeated }) => notRepeated),
  settled: runs.every(({ settled }) => settled),
});

/** A machine that is busy, or a test that flips: what comes out differently is only said when it does so twice. */
export async function twice(part: () => Promise<Rerun>): Promise<Rerun> {
  const first = await part();
  if (first.differences.length === 0) return first;
  const second = await part();
  const again = new Set(first.differences);
  return { ...second, differences: second.differences.filter((difference) => again.has(difference)) };
}
