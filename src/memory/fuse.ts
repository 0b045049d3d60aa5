import type { IndexHit } from "./memory-index.ts";

export interface Ranking {
  hits: readonly IndexHit[];
  weight: number;
}

/** Reduces the lead of the first ranks. Chosen on the tuning halves of evals/retrieval. */
const SOFTENING = 8;

/** Reciprocal rank fusion: ranks are comparable where scores are not. Best first. */
export function fuse(rankings: readonly Ranking[]): IndexHit[] {
  const scores = new Map<string, number>();
  for (const { hits, weight } of rankings) {
    for (const [place, { id }] of hits.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + weight / (SOFTENING + place + 1));
    }
  }
  const fused = [...scores].map(([id, score]) => ({ id, score }));
  return fused.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
