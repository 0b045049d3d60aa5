import { existsSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { ENVIRONMENT_FILE, type EnvironmentFile } from "../domain/settings/environment-file.ts";
import type { Recipe, TreeFiles } from "./environment.ts";

/** What `.miracle/environment.yaml` adds to a recipe. */
export interface More {
  from: string[];
  files: Recipe["files"];
  lines: string[];
}

/** Files of the tree that a command names are there when it runs. */
export function moreOf({ commands, variables }: EnvironmentFile, { read }: TreeFiles): More {
  if (commands.length === 0) return { from: [], files: [], lines: [] };
  const words = new Set(
    commands.flatMap((line) => line.split(/[\s"'=:,;()<>|&]+/)).map((word) => posix.normalize(word)),
  );
  const files = [...words].sort().flatMap((path) => {
    const content = isBelow(path) ? read(path) : null;
    return content === null ? [] : [{ path, content }];
  });
  const exports = Object.entries(variables).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
  );
  return { from: [ENVIRONMENT_FILE], files, lines: [...exports, ...commands] };
}

const isBelow = (path: string): boolean => path !== "." && !path.startsWith("/") && !path.split("/").includes("..");

/** What is not installed of these; nothing where the system is none of Debian's. */
export function missingPackages(names: readonly string[], database = "/var/lib/dpkg/info"): string[] {
  if (names.length === 0 || !existsSync(database)) return [];
  const installed = new Set(readdirSync(database).map((file) => file.replace(/(:[a-z0-9]+)?\.list$/, "")));
  return names.filter((name) => !installed.has(name));
}
