import { ownIndexes } from "../config/own-indexes.ts";
import { type PackagePlaces, packagePlaces } from "../sandbox/packages/package-places.ts";
import { homeDirectory } from "../workspace/home-directory.ts";

/** Where packages come from on this person's machine: what was kept, their caches, and the indexes they named. */
export function placesOfPackages(dataDirectory: string, env: Record<string, string | undefined>): PackagePlaces {
  const home = env.HOME || homeDirectory();
  return { ...packagePlaces(dataDirectory, env, home), indexes: () => ownIndexes(env, home) };
}
