import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { Recipe } from "./environment.ts";

const Entry = z.object({ version: z.string().optional(), resolved: z.string().optional() }).catch({});
const Lock = z.object({
  packages: z.record(z.string(), Entry).catch({}).default({}),
  dependencies: z.record(z.string(), Entry).catch({}).default({}),
});

/** The package that a lockfile of npm's takes from another place than a registry, where this output speaks of the place. */
export function fromOtherPlace({ files }: Pick<Recipe, "files">, output: string): string | null {
  for (const { path, content } of files) {
    if (!/^(package-lock|npm-shrinkwrap)\.json$/.test(path)) continue;
    const { packages, dependencies } = Lock.safeParse(readJson(content)).data ?? { packages: {}, dependencies: {} };
    for (const [key, { resolved, version = "" }] of Object.entries({ ...dependencies, ...packages })) {
      const address = resolved ?? version;
      const [, place] = /^(?:git\+)?(?:https?|ssh|git):\/\/[^/]*\/([^#?]+?)(?:\.git)?(?:[#?].*)?$/.exec(address) ?? [];
      if (place === undefined || place.includes("/-/") || !output.includes(place)) continue;
      return `${key.replace(/^.*node_modules\//, "")} comes from ${address.replace(/#.*/, "")}`;
    }
  }
  return null;
}
