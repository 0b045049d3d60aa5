import { type Ranked, scoresOf } from "./scores.ts";

const DRAWS = 2000;

/**
 * nDCG@10 of every way over the same queries, and by how much `name` is better, with an interval of 95 in 100: whole causes are
 * drawn with replacement, since queries of one cause are no independent tries.
 */
export function comparedWith(name: string, ways: Record<string, readonly Ranked[]>): string {
  const best = ways[name] ?? [];
  const lines = Object.entries(ways).map(([way, of]) => {
    const { ndcg10, recall5 } = scoresOf(of);
    const told = `${way.padEnd(20)}recall@5 ${figure(recall5)} nDCG@10 ${figure(ndcg10)}`;
    if (way === name || best.length !== of.length) return told;
    const [low, high] = interval(byCause(best, of));
    return `${told}   ${name} is better by ${figure(scoresOf(best).ndcg10 - ndcg10)} (${figure(low)} to ${figure(high)})`;
  });
  return lines.join("\n");
}

function byCause(best: readonly Ranked[], of: readonly Ranked[]): number[][] {
  const causes = new Map<string, number[]>();
  for (const [at, ranked] of of.entries()) {
    const than = best[at];
    const difference = than === undefined ? 0 : scoresOf([than]).ndcg10 - scoresOf([ranked]).ndcg10;
    const cause = ranked.cause ?? String(at);
    causes.set(cause, [...(causes.get(cause) ?? []), difference]);
  }
  return [...causes.values()];
}

function interval(causes: readonly number[][]): [low: number, high: number] {
  let state = 1;
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return causes[Math.floor((state / 2 ** 32) * causes.length)] ?? [];
  };
  const means = Array.from({ length: DRAWS }, () => {
    const drawn = causes.flatMap(draw);
    return drawn.reduce((sum, difference) => sum + difference, 0) / drawn.length;
  }).sort((a, b) => a - b);
  return [means[Math.floor(DRAWS * 0.025)] ?? 0, means[Math.floor(DRAWS * 0.975)] ?? 0];
}

const figure = (value: number): string => value.toFixed(3).replace(/^(-?)0/, "$1");
