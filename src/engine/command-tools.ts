import { TerminalFailure } from "../domain/failure.ts";
import type { Language, Toolchain } from "../languages/language.ts";
import type { EngineParts } from "./parts.ts";

/** What a command sees: the language's tools, or, where its test runner is missing, whatever there is. Only tests need that. */
export async function commandTools({ languages, journal }: EngineParts, language: Language | null): Promise<Toolchain> {
  const { directory } = journal.frozen.request;
  try {
    return await languages.toolchain(language, directory);
  } catch (error) {
    if (!(error instanceof TerminalFailure) || error.failure.kind !== "environment") throw error;
    return languages.toolchain(null, directory);
  }
}
