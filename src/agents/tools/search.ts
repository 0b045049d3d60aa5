import { z } from "zod";
import { defineTool } from "./tool.ts";

export const search = defineTool({
  name: "search",
  description: "Find text in files. Literal unless regex is true.",
  arguments: z.lazy(() =>
    z.object({ pattern: z.string().min(1), glob: z.string().optional(), regex: z.boolean().optional() }),
  ),
  writes: false,
  subject: ({ pattern }) => pattern,
  async run({ pattern, glob, regex }, { files }) {
    const found = await files.search(pattern, { glob, regex: regex ?? false });
    return found.length > 0 ? found.join("\n") : "no match";
  },
});
