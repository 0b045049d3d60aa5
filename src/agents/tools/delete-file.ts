import { z } from "zod";
import { defineTool } from "./tool.ts";

/** Judged as a file, not as a command: so a file whose content blocks every command can still be taken away. */
export const deleteFile = defineTool({
  name: "delete_file",
  description: "Delete a file.",
  arguments: z.lazy(() => z.object({ path: z.string() })),
  writes: true,
  subject: ({ path }) => path,
  async run({ path }, { files }) {
    await files.delete(path);
    return `deleted ${path}`;
  },
});
