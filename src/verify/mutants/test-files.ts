import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The text of each file that these tests are in. To be read before any code runs beside them. */
export function readTestFiles(directory: string, tests: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of new Set(tests.map(fileOf))) {
    const text = textIn(directory, file);
    if (text !== null) texts.set(file, text);
  }
  return texts;
}

export const fileOf = (id: string): string => id.split("::")[0] ?? id;

function textIn(directory: string, file: string): string | null {
  try {
    const path = join(directory, file);
    return path.startsWith(directory) && lstatSync(path).isFile() ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}
