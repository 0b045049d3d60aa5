import { TerminalFailure } from "../../domain/failure.ts";
import type { Language, Toolchain } from "../../languages/language.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { Suite } from "./suite-runner.ts";

/** The tools of every language; of all but the first also why there are none. */
interface OpenedSuites {
  toolchain: Toolchain;
  others: Suite[];
  /** One line for each language that has tests and cannot be run here: its part of the change is judged by nobody. */
  notRun: string[];
}

/** Only the first language must be there: without another one's tools a change can still be judged in part. */
export async function openSuites(
  parts: Pick<ProveParts, "languages">,
  languages: readonly Language[],
  directory: string,
): Promise<OpenedSuites> {
  const [first = null, ...more] = languages;
  const toolchain = await parts.languages.toolchain(first, directory);
  const others: Suite[] = [];
  const notRun: string[] = [];
  for (const language of more) {
    try {
      others.push({ language, toolchain: await parts.languages.toolchain(language, directory) });
    } catch (error) {
      if (!(error instanceof TerminalFailure)) throw error;
      notRun.push(`the ${language.name} tests were not run: ${error.message}`);
    }
  }
  return { toolchain, others, notRun };
}
