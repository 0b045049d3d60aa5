import type { Socket } from "node:net";
import type { OwnIndex } from "../../domain/settings/own-index.ts";
import { type AskingParts, askRegistry } from "./ask-registry.ts";
import { findInOwnCaches } from "./own-caches.ts";
import { PackageCache } from "./package-cache.ts";
import type { PackagePlaces } from "./package-places.ts";
import { type Registries, registryEnvironment, registryOf } from "./registry.ts";
import { RegistryMirror } from "./registry-mirror.ts";

export interface KeptPackages {
  /** Settings that make package managers ask the mirror. */
  env: Record<string, string>;
  openMirror(hold: (socket: Socket) => Socket): RegistryMirror;
  /** Call after the install. */
  prune(): Promise<void>;
}

/** Everything that one install needs to reuse packages that an earlier install downloaded. */
export function keptPackages(
  registries: Registries,
  { directory, own }: Pick<PackagePlaces, "directory" | "own">,
  indexes: readonly OwnIndex[],
  asking: Omit<AskingParts, "hold">,
): KeptPackages {
  const cache = new PackageCache(directory);
  const known = Object.values(registries).flatMap((hosts = []) => hosts.map((host) => registryOf(host, indexes)));
  return {
    env: registryEnvironment(registries, indexes),
    openMirror: (hold) =>
      new RegistryMirror({
        registries: known,
        cache,
        findElsewhere: findInOwnCaches(own),
        ask: askRegistry({ ...asking, hold }),
      }),
    prune: () => cache.prune(),
  };
}
