import type { Language } from "../../languages/language.ts";

/** Where a new file of tests may go. No file has that name yet: existing tests stay as they are. */
export function freePath(name: string, language: Pick<Language, "testPath">, paths: string[]): string {
  for (let number = 1; ; number += 1) {
    const path = language.testPath(number === 1 ? name : `${name}-${number}`, paths);
    if (!paths.includes(path)) return path;
  }
}
