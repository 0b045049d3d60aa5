import { z } from "zod";

/** A file whose content a role is shown, so that it need not spend a turn on reading it. */
export const ShownFile = z.object({ path: z.string(), content: z.string() });
export type ShownFile = z.infer<typeof ShownFile>;

const SHOWN_CHARACTERS = 24_000;

/** Files in full as long as there is room; the rest by name. */
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

/** Text that others wrote, between fences that nothing in it can close: what it says never looks like our own headings. */
export function quoted(text: string): string {
  if (text === "") return "";
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
