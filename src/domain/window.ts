/** What a model takes that nobody has said anything about. */
const USUAL = 128_000;

/** The smallest window of these models: any of them may be asked. A name that ends in `*` stands for all that begin so. */
export function windowOf(models: string[], windows: Record<string, number> | undefined): number | undefined {
  if (windows === undefined) return undefined;
  return Math.min(...models.map((model) => ofModel(model, windows)));
}

function ofModel(model: string, windows: Record<string, number>): number {
  const fitting = Object.keys(windows)
    .filter((key) => key === model || (key.endsWith("*") && model.startsWith(key.slice(0, -1))))
    .sort((a, b) => b.length - a.length);
  return windows[fitting[0] ?? ""] ?? USUAL;
}
