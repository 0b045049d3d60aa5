import { z } from "zod";
import { defineTool } from "./tool.ts";

export const addDependency = defineTool({
  name: "add_dependency",
  description: "Add a released package to the project's manifest and lockfile, and install it. May need an approval.",
  arguments: z.lazy(() => z.object({ name: z.string().min(1), version: z.string().optional(), why: z.string() })),
  writes: true,
  subject: ({ name, version }) => (version === undefined ? name : `${name} ${version}`),
  run: ({ name, version, why }, { addDependency }) => addDependency(name, version ?? "", why),
});
