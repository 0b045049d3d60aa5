import { z } from "zod";
import { defineTool } from "./tool.ts";

export const addDependency = defineTool({
  name: "add_dependency",
  description: "Ask for a released package: once it is allowed, it is in manifest and lockfile, and installed.",
  arguments: z.lazy(() => z.object({ name: z.string().min(1), version: z.string().optional(), why: z.string() })),
  writes: true,
  subject: ({ name, version }) => (version === undefined ? name : `${name} ${version}`),
  run: ({ name, version, why }, { addDependency }) => addDependency(name, version ?? "", why),
});
