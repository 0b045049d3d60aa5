import { z } from "zod";
import { foldAlike } from "../fold-alike.ts";
import { defineTool } from "./tool.ts";

export const readFile = defineTool({
  name: "read_file",
  description: "Read a text file or a part of it, or list a directory.",
  arguments: z.lazy(() =>
    z.object({
      path: z.string(),
      fromLine: z.int().positive().optional(),
      lines: z.int().positive().optional(),
    }),
  ),
  writes: false,
  subject: ({ path, fromLine }) => (fromLine === undefined ? path : `${path}:${fromLine}`),
  async run({ path: asked, fromLine, lines }, { reading }) {
    const { files, path } = reading(asked);
    if (files.isDirectory(path)) return foldAlike(await files.list(path)).join("\n") || "no files";
    const part = await files.read(path, { fromLine, lines });
    return part.text === "" ? "(empty file)" : part.text;
  },
});
