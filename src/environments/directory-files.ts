import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { walkFiles } from "../workspace/walk-files.ts";
import type { TreeFiles } from "./environment.ts";
import { isManifest } from "./manifest-files.ts";

const LIMITS = { depth: 4, limit: 1_000, directories: false };

/** The manifests and lockfiles of a directory as it is, without packages that are installed in it. */
export function directoryFiles(directory: string): TreeFiles {
  const paths = [...walkFiles(directory, "", { ...LIMITS, shows: isManifest })];
  return { paths, read: (path) => textBelow(directory, path) };
}

/** Also of a file that is no manifest and that one names. Null where it is none, or leads out of the directory. */
function textBelow(directory: string, path: string): string | null {
  try {
    const file = realpathSync(join(directory, path));
    if (!file.startsWith(`${realpathSync(directory)}/`) || !statSync(file).isFile()) return null;
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
