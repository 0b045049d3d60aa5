import { z } from "zod";
import { defineTool } from "./tool.ts";

export const editFile = defineTool({
  name: "edit_file",
  description: "Replace one exact, unique piece of a file's text.",
  arguments: z.lazy(() => z.object({ path: z.string(), oldText: z.string().min(1), newText: z.string() })),
  writes: true,
  subject: ({ path }) => path,
  async run({ path, oldText, newText }, { files }) {
    await files.edit(path, oldText, newText);
    return `edited ${path}`;
  },
});
