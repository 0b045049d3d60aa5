import { TerminalFailure } from "../../domain/failure.ts";
import type { Language } from "../../languages/language.ts";
import type { ProveParts } from "./prove-parts.ts";
import type { Suite } from "./suite-runner.ts";
import { type ToolsOfTrees, toolsOfTrees } from "./tools-of-trees.ts";

/** The tools of every language; of all but the first also why there are none. */
interface OpenedSuites extends ToolsOfTrees {
  others: Suite[];
  /** One line for each language that has tests and cannot be run here: its part of the change is judged by nobody. */
  notRun: string[];
}

/** Only the first language must be there: without another one's tools a change can still be judged in part. */
export async function openSuites(
  parts: Pick<ProveParts, "languages" | "artifacts">,
  languages: readonly Language[],
  directory: string,
  trees: { base: string | null; result: string },
): Promise<OpenedSuites> {
  const [first = null, ...more] = languages;
  const tools = await toolsOfTrees(parts, first, directory, trees);
  const others: Suite[] = [];
  const notRun: string[] = [];
  for (const language of more) {
    try {
      const { inTree, missing } = await toolsOfTrees(parts, language, directory, trees);
      others.push({ language, inTree });
      tools.missing.push(...missing);
    } catch (error) {
      if (!(error instanceof TerminalFailure)) throw error;
      notRun.push(`the ${language.name} tests were not run: ${error.message}`);
    }
  }
  return { ...tools, others, notRun };
}
