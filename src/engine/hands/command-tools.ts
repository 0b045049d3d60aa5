import { TerminalFailure } from "../../domain/failure.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { Languages } from "./parts.ts";
import type { Run } from "./run.ts";

/** What a command sees: the language's tools, or, where its test runner is missing, whatever there is. Only tests need that. */
export const commandTools = (run: Run, language: Language | null): Promise<Toolchain> =>
  toolsFor(run.parts.languages, run.request.directory, language);

export async function toolsFor(languages: Languages, directory: string, language: Language | null): Promise<Toolchain> {
  try {
    return await languages.toolchain(language, directory);
  } catch (error) {
    if (!(error instanceof TerminalFailure) || error.failure.kind !== "environment") throw error;
    return languages.toolchain(null, directory);
  }
}
