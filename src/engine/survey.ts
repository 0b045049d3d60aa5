import { z } from "zod";
import type { ProjectView } from "../agents/briefing.ts";
import type { LanguageName } from "../domain/spec.ts";
import type { Strand } from "../journal/strand.ts";
import type { EngineParts } from "./parts.ts";

const LISTED_PATHS = 200;
const INSTRUCTIONS_CHARACTERS = 4000;

/** What the task starts from. Everything a prompt says of the project comes from here, so it is one recorded step. */
export const Survey = z.object({
  tree: z.string(),
  files: z.int(),
  paths: z.array(z.string()),
  language: z.string().nullable(),
  testFiles: z.int(),
  instructions: z.string(),
  /** Files of the user's that are not part of the task: secrets, special files. */
  leftOut: z.array(z.string()),
});
export type Survey = z.infer<typeof Survey>;

/** Takes the user's tree, uncommitted changes included, or goes on from an unapplied parent's result. */
export function surveyProject(strand: Strand, parts: EngineParts): Promise<Survey> {
  const { request } = parts.journal.frozen;
  const { directory, goal, startTree } = request;
  return strand.step(
    { kind: "tool", name: "survey", input: { directory, startTree }, output: Survey },
    async ({ emit }) => {
      const task = parts.journal.task;
      const imported = await parts.artifacts.importTree(task, directory);
      const tree = startTree ?? imported.id;
      const entries = parts.artifacts.list(tree);
      const paths = entries.map((entry) => entry.path);
      const language = parts.languages.detect(paths);
      const instructions = parts.artifacts.readFile(tree, "AGENTS.md")?.toString("utf8") ?? "";
      emit({ type: "task-started", goal, directory, baseTree: tree });
      return {
        tree,
        files: paths.length,
        paths: mostTelling(paths),
        language: language?.name ?? null,
        testFiles: language ? paths.filter((path) => language.isTestFile(path)).length : 0,
        instructions: instructions.slice(0, INSTRUCTIONS_CHARACTERS),
        leftOut: imported.leftOut.slice(0, 20).map(({ path, why }) => `${path} (${why})`),
      };
    },
  );
}

/** Versions of what the tests run with, for the prompts and the record. */
export function surveyTools(
  strand: Strand,
  parts: EngineParts,
  language: LanguageName,
): Promise<Record<string, string>> {
  const { directory } = parts.journal.frozen.request;
  return strand.step(
    { kind: "tool", name: "tools", input: { language }, output: z.record(z.string(), z.string()) },
    async () => (await parts.languages.toolchain(parts.languages.named(language), directory)).versions,
  );
}

export function projectView(survey: Survey, language: string | null, versions: Record<string, string>): ProjectView {
  const { paths, files, instructions } = survey;
  return { paths, more: files - paths.length, language: language ?? "", versions, instructions };
}

/** Shallow paths say more about a project than deep ones. */
function mostTelling(paths: string[]): string[] {
  const depth = (path: string) => path.split("/").length;
  return [...paths]
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .slice(0, LISTED_PATHS)
    .sort();
}
