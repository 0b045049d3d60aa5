import type { Language } from "../../languages/language.ts";
import type { Run } from "../hands/run.ts";
import { Survey } from "./survey.ts";

const Scaffolded = Survey.pick({ tree: true, paths: true, files: true });

/**
 * Gives an empty directory the files that its language needs before a test can be written. Other directories stay as
 * they are.
 */
export async function scaffold(run: Run, survey: Survey, language: Language): Promise<Survey> {
  const files = survey.files === 0 ? language.scaffold() : [];
  if (files.length === 0) return survey;
  const input = { tree: survey.tree, files };
  const scaffolded = await run.step({ kind: "tool", name: "scaffold", input, output: Scaffolded }, async () => {
    const tree = run.parts.artifacts.overlay(run.task, survey.tree, files);
    return { tree, paths: files.map((file) => file.path), files: files.length };
  });
  return { ...survey, ...scaffolded };
}
