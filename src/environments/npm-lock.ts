import { z } from "zod";
import { readJson } from "../domain/json.ts";
import type { Recipe } from "./environment.ts";

const Entry = z
  .object({ version: z.string().optional(), resolved: z.string().optional(), integrity: z.string().optional() })
  .catch({});
const Lock = z.object({
  packages: z.record(z.string(), Entry).catch({}).default({}),
  dependencies: z.record(z.string(), Entry).catch({}).default({}),
});

type Files = Pick<Recipe, "files">;

/** The packages of npm's lockfiles, in either of their forms. */
function entriesIn({ files }: Files): (z.infer<typeof Entry> & { name: string })[] {
  return files
    .filter(({ path }) => /^(package-lock|npm-shrinkwrap)\.json$/.test(path))
    .flatMap(({ content }) => {
      const { packages = {}, dependencies = {} } = Lock.safeParse(readJson(content)).data ?? {};
      const all = Object.entries({ ...dependencies, ...packages });
      return all.map(([key, entry]) => ({ ...entry, name: key.replace(/^.*node_modules\//, "") }));
    });
}

/** The package that comes from another place than a registry, where this output speaks of the place. */
export function fromOtherPlace(recipe: Files, output: string): string | null {
  for (const { name, resolved, version = "" } of entriesIn(recipe)) {
    const address = resolved ?? version;
    const [, place] = /^(?:git\+)?(?:https?|ssh|git):\/\/[^/]*\/([^#?]+?)(?:\.git)?(?:[#?].*)?$/.exec(address) ?? [];
    if (place === undefined || place.includes("/-/") || !output.includes(place)) continue;
    return `${name} comes from ${address.replace(/#.*/, "")}`;
  }
  return null;
}

/** The package whose hash this output speaks of. */
export const withHash = (recipe: Files, output: string): string | null =>
  entriesIn(recipe).find(({ integrity }) => integrity !== undefined && output.includes(integrity))?.name ?? null;
