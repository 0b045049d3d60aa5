import { z } from "zod";
import { foldAlike } from "../fold-alike.ts";
import { defineTool } from "./tool.ts";

export const listFiles = defineTool({
  name: "list_files",
  description: "List the files below a directory.",
  arguments: z.lazy(() => z.object({ path: z.string().optional(), depth: z.int().positive().optional() })),
  writes: false,
  subject: ({ path }) => path ?? ".",
  async run({ path: asked, depth }, { reading }) {
    const { files, path } = reading(asked ?? ".");
    const listing = await files.list(path, { depth });
    return listing.length > 0 ? foldAlike(listing).join("\n") : "no files";
  },
});
