interface Place {
  path: string;
  quote: string;
  line?: number | undefined;
}

export interface FoundPlace {
  path: string;
  line: number;
  quote: string;
}

/** Where quoted lines stand. What stands nowhere is a problem, in words for the model that quoted it. */
export function findPlaces(
  places: readonly Place[],
  read: (path: string) => string | null,
): { found: FoundPlace[]; problem?: string } {
  const found: FoundPlace[] = [];
  const missing: string[] = [];
  for (const [index, { path, quote, line }] of places.entries()) {
    const text = read(path);
    const at = text === null ? null : lineOf(text.split(/\r?\n/), quote, line ?? 1);
    if (at !== null) found.push({ path, ...at });
    else
      missing.push(`[${index + 1}] ${text === null ? `there is no file ${path}` : `${path} has no line "${quote}"`}`);
  }
  if (missing.length === 0) return { found };
  return { found, problem: `These places do not exist: ${missing.join("; ")}. Copy one line of the file exactly.` };
}

/** The nearest line to the one that was named; of a quote of several lines the first. */
function lineOf(lines: string[], quote: string, near: number): Omit<FoundPlace, "path"> | null {
  const wanted = quote
    .split(/\r?\n/)
    .map((text) => text.trim())
    .find((text) => text !== "");
  if (wanted === undefined) return null;
  const hits = lines.flatMap((text, index) => (text.includes(wanted) ? [index + 1] : []));
  const [line] = hits.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near));
  return line === undefined ? null : { line, quote: (lines[line - 1] ?? "").trim() };
}
