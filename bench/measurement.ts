/** One line of the result. */
export interface Row {
  /** What `--only` calls it. */
  name: string;
  what: string;
  value: number;
  unit: "×" | "ms" | "MB" | "tokens" | "calls" | "packages";
  /** The most it may be; null where there is nothing to reach. */
  bar: number | null;
  /** The figures behind the value. */
  detail: string;
}

/** Something measured once per round, between the others, so that a busy minute hits all of them. */
export interface Measurement {
  /** The names of its rows. */
  readonly names: string[];
  /** Takes one sample and returns how it counts: the first round's is never counted. */
  round(): Promise<() => void>;
  rows(): Row[];
}

/** Keeps the type of the samples inside. */
export function measurement<Sample>(
  names: string[],
  sample: () => Promise<Sample>,
  rows: (samples: Sample[]) => Row[],
): Measurement {
  const samples: Sample[] = [];
  return {
    names,
    round: async () => {
      const taken = await sample();
      return () => samples.push(taken);
    },
    rows: () => rows(samples),
  };
}

export const isMet = ({ value, bar }: Row): boolean => bar === null || value <= bar;

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
