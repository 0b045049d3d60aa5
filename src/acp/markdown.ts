/** Editors render what we say as Markdown. As it stands, whatever it holds. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Words of models and projects: an image in them would be fetched, and tell somebody else what stands in its address. */
export const withoutImages = (text: string): string => text.replaceAll("![", "! [");

/** What a run came to: its verdict, which stands last at a terminal, and what it rests on. */
export function resultText(lines: string): string {
  const all = lines.trimEnd().split("\n");
  const verdict = withoutImages(all.at(-1) ?? "");
  const rest = all.slice(0, -1);
  return rest.length === 0 ? verdict : `${verdict}\n\n${fenced(rest.join("\n"))}`;
}
