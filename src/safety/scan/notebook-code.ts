import { z } from "zod";
import type { CodeInFile } from "./scanned-file.ts";

const Notebook = z.looseObject({
  cells: z.array(
    z.looseObject({ cell_type: z.string(), source: z.union([z.string(), z.array(z.string())]).default([]) }),
  ),
});

/** The code cells of a notebook are one program; each line has its place in the JSON around it. */
export function notebookCode(content: string): CodeInFile {
  const lines: { code: string; at: number }[] = [];
  let at = 0;
  const cells = cellsOf(content);
  for (const { cell_type: kind, source } of cells ?? []) {
    const texts = typeof source === "string" ? [source] : source;
    const isPython = !/^\s*%%(bash|sh|script|html|javascript|js|writefile|perl|ruby)\b/.test(texts.join(""));
    for (const text of texts) {
      at = placeOf(content, text, at);
      if (kind !== "code" || !isPython) continue;
      for (const line of text.replace(/\n$/, "").split("\n")) lines.push({ code: withoutMagic(line), at });
    }
  }
  const starts: number[] = [];
  let code = "";
  for (const line of lines) {
    starts.push(code.length);
    code += `${line.code}\n`;
  }
  const place = (offset: number): number => {
    const index = starts.findLastIndex((start) => start <= offset);
    return lines[index]?.at ?? 0;
  };
  return { grammar: "python", code, place, unreadable: cells === null };
}

function cellsOf(content: string): z.infer<typeof Notebook>["cells"] | null {
  try {
    return Notebook.safeParse(JSON.parse(content)).data?.cells ?? null;
  } catch {
    return null;
  }
}

/** Where a text stands in the JSON; the last place where it is written there in another way. */
function placeOf(content: string, text: string, from: number): number {
  const found = content.indexOf(JSON.stringify(text), from);
  return found < 0 ? from : found;
}

/** `!ls` and `%matplotlib inline` are no Python; rules for files speak of them. */
const withoutMagic = (line: string): string => line.replace(/^(\s*)[!%?].*$/, "$1pass");
