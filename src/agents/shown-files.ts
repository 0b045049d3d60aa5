import { z } from "zod";
import { excerpt } from "./excerpt.ts";

/** A file that a role is shown in full, so that it need not spend a turn on reading it. */
export const ShownFile = z.object({ path: z.string(), content: z.string() });
export type ShownFile = z.infer<typeof ShownFile>;

const SHOWN_CHARACTERS = 24_000;

/**
 * Shows files while there is room, and the names of the rest. With `about`, of a long file only the parts that these
 * words speak of.
 */
export function showFiles(files: ShownFile[], about?: string): string {
  let left = SHOWN_CHARACTERS;
  return files
    .map(({ path, content: whole }) => {
      const content = about === undefined ? whole : excerpt(whole, about);
      if (content === null || content.length > left) return `${path} (${whole.length} characters: read it)`;
      left -= content.length;
      return `${path}${content === whole ? "" : " (in part)"}\n${quoted(content)}`;
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
