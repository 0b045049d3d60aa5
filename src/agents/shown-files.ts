import { z } from "zod";

/** A file that a role is shown in full, so that it need not spend a turn on reading it. */
export const ShownFile = z.object({ path: z.string(), content: z.string() });
export type ShownFile = z.infer<typeof ShownFile>;

const SHOWN_CHARACTERS = 24_000;

/** Shows files in full while there is room, and the names of the rest. */
export function showFiles(files: ShownFile[]): string {
  let left = SHOWN_CHARACTERS;
  return files
    .map(({ path, content }) => {
      if (content.length > left) return `${path} (${content.length} characters: read it)`;
      left -= content.length;
      return `${path}\n${quoted(content)}`;
    })
    .join("\n\n");
}

/**
 * Fences a text that others wrote. Nothing in the text can close the fence, so it never looks like our own headings.
 */
export function quoted(text: string): string {
  if (text === "") return "";
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
