import { basename } from "node:path";
import { z } from "zod";
import { leaves, mergeLayers, sourceOf, valueAt } from "../../config/layers.ts";
import type { Configuration } from "../../config/load-config.ts";
import { plainJson } from "../../domain/json.ts";
import { redactor } from "../../journal/redact.ts";
import type { Directories } from "../work/directories.ts";
import { jsonRoute, NOTHING, type Route } from "./route.ts";

/** Settings that are paths of this machine, or programs on it. */
const OWN_BUSINESS = new Set(["server", "trustedDirectories", "hooks", "notify"]);

const Setting = z.object({
  key: z.string(),
  value: z.json(),
  source: z.string().describe("A file with its line, a variable, a flag"),
});

/** What a task that is started now would be steered by. */
export function settingsRoutes(
  directories: Directories,
  configure: (directory: string) => Promise<Configuration>,
): Route[] {
  return [
    jsonRoute(
      {
        method: "get",
        path: "/settings",
        scope: "read",
        summary: "the settings in force for a directory, with where each comes from",
        params: NOTHING,
        query: z.strictObject({ directory: z.string().optional() }),
        body: NOTHING,
        answers: z.object({ settings: z.array(Setting) }),
      },
      async ({ query }) => ({ settings: settingsIn(await configure(directories.pathOf(query.directory))) }),
    ),
  ];
}

function settingsIn({ layers, secrets }: Configuration): z.infer<typeof Setting>[] {
  const merged = mergeLayers(layers);
  const redact = redactor(secrets);
  return leaves(merged)
    .filter(([first = ""]) => !OWN_BUSINESS.has(first))
    .map((path) => ({
      key: path.join("."),
      value: redact(plainJson(valueAt(merged, path))),
      source: basename(sourceOf(layers, path) ?? ""),
    }));
}
