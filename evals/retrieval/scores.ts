/** How well rankings put what belongs together first. */
export interface Scores {
  queries: number;
  hit1: number;
  hit5: number;
  recall5: number;
  ndcg10: number;
}

export interface Ranked {
  /** Whether each place, best first, is relevant. */
  relevant: boolean[];
  /** How many relevant records there are at all. */
  total: number;
  /** Queries of one cause are alike, and are drawn together. */
  cause?: string;
}

export function scoresOf(rankings: readonly Ranked[]): Scores {
  const mean = (of: (ranked: Ranked) => number) =>
    rankings.reduce((sum, ranked) => sum + of(ranked), 0) / Math.max(1, rankings.length);
  return {
    queries: rankings.length,
    hit1: mean(({ relevant }) => Number(relevant[0] ?? false)),
    hit5: mean(({ relevant }) => Number(relevant.slice(0, 5).some(Boolean))),
    recall5: mean(({ relevant, total }) => relevant.slice(0, 5).filter(Boolean).length / total),
    ndcg10: mean(
      ({ relevant, total }) =>
        gain(relevant.slice(0, 10)) / gain(Array.from({ length: Math.min(10, total) }, () => true)),
    ),
  };
}

const gain = (relevant: readonly boolean[]): number =>
  relevant.reduce((sum, is, place) => sum + (is ? 1 / Math.log2(place + 2) : 0), 0);
