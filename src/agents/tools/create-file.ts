import { z } from "zod";
import { defineTool } from "./tool.ts";

export const createFile = defineTool({
  name: "create_file",
  description: "Write a whole new file. Fails if it exists, unless overwrite is true.",
  arguments: z.lazy(() => z.object({ path: z.string(), content: z.string(), overwrite: z.boolean().optional() })),
  writes: true,
  subject: ({ path }) => path,
  async run({ path, content, overwrite }, { files }) {
    await files.create(path, content, { overwrite: overwrite ?? false });
    return `wrote ${path}`;
  },
});
