import { join } from "node:path";
import type { OwnIndex } from "../../domain/settings/own-index.ts";

/** Where packages are kept for the next install, and where the person's own package managers keep theirs. */
export interface PackagePlaces {
  directory: string;
  own: OwnCaches;
  /** Indexes that the person's own settings name, with what is said to them. Read when something is installed. */
  indexes?(): Promise<OwnIndex[]>;
}

export interface OwnCaches {
  pip: string;
  npm: string;
  go: string;
}

export function packagePlaces(
  dataDirectory: string,
  env: Record<string, string | undefined>,
  home: string,
): PackagePlaces {
  const cache = env.XDG_CACHE_HOME || join(home, ".cache");
  const goPath = env.GOPATH?.split(":")[0] || join(home, "go");
  return {
    directory: join(dataDirectory, "packages"),
    own: {
      pip: env.PIP_CACHE_DIR || join(cache, "pip"),
      npm: env.npm_config_cache || join(home, ".npm"),
      go: join(env.GOMODCACHE || join(goPath, "pkg", "mod"), "cache", "download"),
    },
  };
}
