import { builtEnvironments, withEnvironments } from "../../app/open-environments.ts";
import { openDataDirectory } from "../../config/data-directory.ts";
import { loadConfig } from "../../config/load-config.ts";
import { packageRoot } from "../../config/package-root.ts";
import { ENVIRONMENT_FILE } from "../../domain/settings/environment-file.ts";
import { recipesOf } from "../../environments/recipes-of-directory.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type MachineCheck, optionalCheck, reason } from "./machine-check.ts";

const REMEDY = `what no manifest says goes into ${ENVIRONMENT_FILE}: see \`miracle env --help\``;

/** What the code of this directory runs in, for each language whose packages its manifests name. Nothing is built. */
export async function examinePackages({
  directory,
  env,
  home,
}: Pick<Terminal, "directory" | "env" | "home">): Promise<MachineCheck[]> {
  // What is wrong with the settings is said by their own check.
  const config = await loadConfig({ directory, env, home, root: packageRoot() }).catch(() => null);
  if (config === null) return [];
  const { settings } = config;
  try {
    const place = { dataDirectory: openDataDirectory(env, home), env, signal: new AbortController().signal };
    const built = builtEnvironments(settings, place.dataDirectory);
    const languages = openLanguages({ env, execPath: process.execPath, version: process.version });
    return await withEnvironments(
      settings,
      place,
      () => {},
      async (environments) =>
        recipesOf(environments, languages, directory).map(({ found: { recipe, fits } }) => {
          const from = `packages of ${recipe.from.slice(0, 3).join(", ")}`;
          const failed = built.lastFailure(recipe.name, Date.now());
          if (fits) return optionalCheck(from, true, "what is installed fits", "");
          if (built.find(recipe.name)) return optionalCheck(from, true, `built (${recipe.name})`, "");
          if (failed !== null) return optionalCheck(from, false, failed, REMEDY);
          return optionalCheck(from, true, "built when they are needed, or now by `miracle env build`", "");
        }),
    );
  } catch (error) {
    return [optionalCheck("packages", false, reason(error), "")];
  }
}
