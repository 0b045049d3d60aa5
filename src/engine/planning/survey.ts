import { z } from "zod";
import type { ProjectView } from "../../agents/briefings/sections.ts";
import { ShownFile } from "../../agents/shown-files.ts";
import { LanguageName } from "../../domain/plan/spec.ts";
import type { Language } from "../../languages/language.ts";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";
import type { LeftOut } from "../../workspace/left-out.ts";
import type { Run } from "../hands/run.ts";
import { definingIn, namedIn } from "./named-files.ts";
import { isOfSkills, readSkills, Skill } from "./project-skills.ts";

const LISTED_PATHS = 120;
/** A project that is not larger is shown in full. */
const SMALL_FILES = 20;
const SMALL_CHARACTERS = 8000;
/** A larger one is not searched for what the goal names. */
const SEARCHED_FILES = 400;
const INSTRUCTIONS_CHARACTERS = 4000;
const SHOWN_FILE_BYTES = 100_000;

/**
 * The project at the start of the task. Everything that prompts say of the project comes from here: one recorded step.
 */
export const Survey = z.object({
  /** Where the work starts. */
  tree: z.string(),
  /** The user's directory as it is, if the work starts from another tree. A result is applied to this one. */
  base: z.string().optional(),
  files: z.int(),
  paths: z.array(z.string()),
  language: LanguageName.nullable(),
  testFiles: z.int(),
  instructions: z.string(),
  /** The user's files that are not part of the task: secrets, special files. */
  leftOut: z.array(z.string()),
  /** All files of a small project, and those that the goal names. Absent in older recordings. */
  shown: z.array(ShownFile).optional(),
  /** Absent where the project has none. */
  skills: z.array(Skill).optional(),
});
export type Survey = z.infer<typeof Survey>;

/**
 * Imports the user's tree with its uncommitted changes, or continues from the result of a parent that was not applied.
 */
export function surveyProject(run: Run): Promise<Survey> {
  const { request } = run;
  const { directory, goal, startTree, base } = request;
  return run.step(
    { kind: "tool", name: "survey", input: { directory, startTree, base }, output: Survey, durable: false },
    async ({ emit }) => {
      const task = run.task;
      const imported = base ? null : await run.parts.artifacts.importTree(task, directory);
      const user = imported?.id ?? base?.tree ?? "";
      const tree = startTree ?? user;
      const paths =
        imported && !startTree ? imported.paths() : run.parts.artifacts.list(tree).map((entry) => entry.path);
      const language = run.parts.languages.detect(paths.filter((path) => !isOfSkills(path)));
      const { skills, unusable } = await readSkills(run.parts.artifacts, tree, paths);
      for (const message of unusable) emit({ type: "warning-raised", code: "skill.unusable", message });
      const instructions = paths.includes("AGENTS.md") ? run.parts.artifacts.readFile(tree, "AGENTS.md") : null;
      emit({ type: "task-started", goal, directory, baseTree: user });
      return {
        tree,
        ...(startTree && { base: user }),
        files: paths.length,
        paths: mostTelling(paths),
        language: language?.name ?? null,
        testFiles: language ? paths.filter((path) => language.isTestFile(path)).length : 0,
        instructions: instructions?.toString("utf8").slice(0, INSTRUCTIONS_CHARACTERS) ?? "",
        leftOut: imported ? describeLeftOut(imported.leftOut) : (base?.leftOut ?? []),
        // Without a planner nobody reads them.
        shown: run.settings.direct ? [] : readAtOnce(run.parts.artifacts, tree, paths, goal),
        ...(skills.length > 0 && { skills }),
      };
    },
  );
}

export const describeLeftOut = (leftOut: LeftOut[]): string[] =>
  leftOut.slice(0, 20).map(({ path, why }) => `${path} (${why})`);

export const surveyedLanguage = (run: Run, { language }: Survey): Language | null =>
  language === null ? null : run.parts.languages.named(language);

export const Tools = z.object({
  /** Versions of the tools that run the tests, for the prompts and the record. */
  versions: z.record(z.string(), z.string()),
  /** How a person would run the whole suite here. */
  testCommand: z.string(),
});
export type Tools = z.infer<typeof Tools>;

export function surveyTools(run: Run, name: LanguageName, tree: string): Promise<Tools> {
  const { directory } = run.request;
  const input = { language: name };
  return run.step({ kind: "tool", name: "tools", input, output: Tools }, async ({ emit }) => {
    const language = run.parts.languages.named(name);
    const toolchain = await run.parts.languages.toolchain(language, directory, tree);
    emit({ type: "phase-changed", phase: "writing tests", iteration: 0 });
    return { versions: toolchain.versions, testCommand: language.testRun([], toolchain).display };
  });
}

const FOR_THE_RECORD = new Set(["dependencies", "note", "environment", "packages", "built", "missing"]);

/**
 * What a role is told of the project. The fingerprint of dependencies and the places of tools are for the record only.
 * For a small goal whose files are shown in full, other files are not mentioned.
 */
export function projectView(
  { paths, files, instructions, skills }: Pick<Survey, "paths" | "files" | "instructions" | "skills">,
  versions: Record<string, string>,
  filesAreShown = false,
): ProjectView {
  const tools = Object.fromEntries(Object.entries(versions).filter(([name]) => !FOR_THE_RECORD.has(name)));
  const listing = filesAreShown ? null : { paths, more: files - paths.length };
  return { listing, versions: tools, instructions, ...(skills && { skills }) };
}

/** Reads whole files of a tree. Binary, missing and huge files are left out: a role can still look for them. */
export function readShown(artifacts: ArtifactStore, tree: string, paths: string[]): ShownFile[] {
  return [...new Set(paths)].flatMap((path) => {
    const content = artifacts.readFile(tree, path);
    if (!content || content.length > SHOWN_FILE_BYTES || content.includes(0)) return [];
    return [{ path, content: content.toString("utf8") }];
  });
}

/** What the planner would read first anyway, and each turn that only reads costs a whole request. */
function readAtOnce(artifacts: ArtifactStore, tree: string, paths: string[], goal: string): ShownFile[] {
  const read = (path: string) => artifacts.readFile(tree, path)?.toString("utf8") ?? "";
  const defining = paths.length <= SEARCHED_FILES ? definingIn(goal, paths, read) : [];
  const named = readShown(artifacts, tree, [...namedIn(goal, paths), ...defining]);
  if (paths.length > SMALL_FILES) return named;
  const all = readShown(artifacts, tree, paths.filter(isTelling));
  const size = all.reduce((sum, { content }) => sum + content.length, 0);
  return size <= SMALL_CHARACTERS ? all : named;
}

/** Instructions and skills have sections of their own, and what a tool writes says nothing to a planner. */
const isTelling = (path: string): boolean =>
  path !== "AGENTS.md" && !isOfSkills(path) && !/(?:^|\/)LICENSE|(?:^|[/.-])lock(?:\.[a-z]+)?$|go\.sum$/.test(path);

/** Sources say more about a project than tests, tests more than documents and data; shallow paths more than deep ones. */
export function mostTelling(paths: string[]): string[] {
  return paths
    .map((path) => ({ path, kind: kindOf(path), depth: path.split("/").length }))
    .sort((a, b) => a.kind - b.kind || a.depth - b.depth || (a.path < b.path ? -1 : 1))
    .slice(0, LISTED_PATHS)
    .map(({ path }) => path)
    .sort();
}

const TOLD = /^readme\b[^/]*$|^[^/]+\.(?:json|toml|ya?ml)$/i;
const DOCUMENT =
  /\.(?:md|mdx|rst|adoc|txt|html?|pdf|svg|png|jpe?g|gif|webp|ico|woff2?|json|jsonl|ndjson|csv|tsv|xml|ya?ml|lock|snap|map|po)$/i;
const TEST = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*$/i;

function kindOf(path: string): number {
  if (TOLD.test(path)) return 0; // What it is, and what it is built with.
  if (DOCUMENT.test(path)) return 2;
  return TEST.test(path) ? 1 : 0;
}
