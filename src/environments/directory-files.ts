import { readFileSync } from "node:fs";
import { join } from "node:path";
import { walkFiles } from "../workspace/walk-files.ts";
import type { TreeFiles } from "./environment.ts";
import { isManifest } from "./manifest-files.ts";

const LIMITS = { depth: 4, limit: 1_000, directories: false };

/** The manifests and lockfiles of a directory as it is, without packages that are installed in it. */
export function directoryFiles(directory: string): TreeFiles {
  const paths = [...walkFiles(directory, "", { ...LIMITS, shows: isManifest })];
  const known = new Set(paths);
  return { paths, read: (path) => (known.has(path) ? readFileSync(join(directory, path), "utf8") : null) };
}
