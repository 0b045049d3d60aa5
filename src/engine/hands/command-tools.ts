import { TerminalFailure } from "../../domain/failure.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { Languages } from "./parts.ts";
import type { Run } from "./run.ts";

/**
 * The tools a command sees, with the packages of its tree. An install has none: it writes manifest and lockfile, and
 * what it installs beside them is gone with it. If the language's test runner is missing, the command gets the tools without a language:
 * only tests need the runner.
 */
export const commandTools = (run: Run, language: Language | null, tree?: string): Promise<Toolchain> =>
  toolsFor(run.parts.languages, run.request.directory, language, tree);

export async function toolsFor(
  languages: Languages,
  directory: string,
  language: Language | null,
  tree?: string,
): Promise<Toolchain> {
  try {
    return await languages.toolchain(language, directory, tree);
  } catch (error) {
    if (!(error instanceof TerminalFailure) || error.failure.kind !== "environment") throw error;
    return languages.toolchain(null, directory);
  }
}
