import { ENVIRONMENT_FILE } from "../domain/settings/environment-file.ts";
import type { openLanguages } from "../languages/open-languages.ts";
import { walkFiles } from "../workspace/walk-files.ts";
import { directoryFiles } from "./directory-files.ts";
import { HousedLanguage } from "./environment.ts";
import type { Environments } from "./environments.ts";

const SEEN = { depth: 5, limit: 2_000, directories: false, shows: () => true };

/** What a directory needs as it is, for each language that its manifests speak of; a file of ours alone: for its own one. */
export function recipesOf(
  environments: Environments,
  languages: ReturnType<typeof openLanguages>,
  directory: string,
): { language: HousedLanguage; found: NonNullable<ReturnType<Environments["recipe"]>> }[] {
  const tree = directoryFiles(directory);
  return HousedLanguage.options.flatMap((language) => {
    const found = environments.recipe(languages.named(language), directory, tree);
    if (!found) return [];
    const isAsked = found.recipe.from.some((path) => path !== ENVIRONMENT_FILE) || language === ownLanguage();
    return isAsked ? [{ language, found }] : [];
  });

  function ownLanguage(): HousedLanguage | undefined {
    const name = languages.detect([...walkFiles(directory, "", SEEN)])?.name;
    return name === "typescript" ? "javascript" : name;
  }
}
