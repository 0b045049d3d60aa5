import { causeOf, type Result } from "./result.ts";

/** Counts, causes and times of one set. */
export function summaryOf(results: Result[]): string {
  const tried = results.filter(({ verdict }) => verdict !== "not-tried");
  const lines = [`${tried.length} tried: ${countsOf(tried)}`];
  if (tried.length > 0) lines.push(`seconds: ${timesOf(tried)}`, listsOf(tried));
  lines.push("", ...tableOfCauses(tried));
  return `${lines.join("\n")}\n`;
}

export function countsOf(results: Result[]): string {
  const counts = count(results.map(({ verdict }) => verdict));
  return counts.map(([verdict, number]) => `${number} ${verdict.replaceAll("-", " ")}`).join(", ");
}

export function timesOf(results: Result[]): string {
  const seconds = results.map((result) => result.seconds).sort((a, b) => a - b);
  const at = (share: number) =>
    (seconds[Math.min(seconds.length - 1, Math.floor(share * seconds.length))] ?? 0).toFixed(0);
  const times = results
    .flatMap(({ seconds: all, suiteSeconds }) => (suiteSeconds ? [all / suiteSeconds] : []))
    .sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)];
  const against = median === undefined ? "" : `; ${median.toFixed(1)} times the project's own suite (median)`;
  return `median ${at(0.5)}, nine in ten within ${at(0.9)}, longest ${at(1)}${against}`;
}

/** How long the lists are that verdicts in part leave to a person; empty where there is none. */
export function listsOf(results: Result[]): string {
  const lengths = results.flatMap(({ open }) => open ?? []).sort((a, b) => a - b);
  if (lengths.length === 0) return "";
  return `What verdicts in part leave open: ${lengths[Math.floor(lengths.length / 2)]} places in the median, ${lengths.at(-1)} at most.`;
}

/** What was not called proven, by its reason, with the first few it happened to. */
export function tableOfCauses(results: Result[]): string[] {
  const odd = results.filter(({ verdict }) => verdict !== "proven");
  return count(odd.map(causeOf)).map(([cause, number]) => {
    const names = odd.filter((result) => causeOf(result) === cause).map(({ name }) => name);
    return `${String(number).padStart(4)}  ${cause}  (${[...new Set(names)].slice(0, 4).join(", ")})`;
  });
}

export function count(words: string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
