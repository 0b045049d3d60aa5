import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The directory of our package.json: the same from a source file, from a bundle and from an installed package. */
export function packageRoot(): string {
  let directory = import.meta.dirname;
  while (!existsSync(join(directory, "package.json"))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error(`no package.json above ${import.meta.dirname}`);
    directory = parent;
  }
  return directory;
}
