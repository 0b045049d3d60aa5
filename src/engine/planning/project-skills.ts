import { z } from "zod";
import type { ArtifactStore } from "../../workspace/artifact-store.ts";

/** A skill of the project (agentskills.io) by what it says of itself. Roles read the file where it fits their work. */
export const Skill = z.object({ name: z.string(), description: z.string(), path: z.string() });
export type Skill = z.infer<typeof Skill>;

export interface ProjectSkills {
  skills: Skill[];
  /** Files that are no skills, each in one line with the reason. */
  unusable: string[];
}

const PLACE = /^\.agents\/skills\/([^/]+)\/SKILL\.md$/;
/** Front matter between lines of three dashes, at the top of the file. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
/** Of all that a project has; each of them is a line of every briefing. */
const MOST_SKILLS = 30;
/** What of a description a briefing shows. */
const SHOWN_CHARACTERS = 400;

/** Whether a path belongs to skills, which are for agents and no part of the project's code. */
export const isOfSkills = (path: string): boolean => path.startsWith(".agents/");

/** Reads the skills of a tree. Everything in them is a repository's word: it is checked and shortened, and never run. */
export async function readSkills(
  artifacts: ArtifactStore,
  tree: string,
  paths: readonly string[],
): Promise<ProjectSkills> {
  const found: ProjectSkills = { skills: [], unusable: [] };
  const files = paths.filter((path) => PLACE.test(path)).sort();
  if (files.length === 0) return found;
  const { parse } = await import("yaml");
  for (const path of files.slice(0, MOST_SKILLS)) {
    const read = skillOf(path, artifacts.readFile(tree, path)?.toString("utf8") ?? "", parse);
    if (typeof read === "string") found.unusable.push(`${path} is no skill: ${read}`);
    else found.skills.push(read);
  }
  if (files.length > MOST_SKILLS)
    found.unusable.push(`.agents/skills: only the first ${MOST_SKILLS} of ${files.length} are told of`);
  return found;
}

const Said = z.object({ name: z.string(), description: z.string() });

/** The skill, or why the file is none. */
export function skillOf(path: string, content: string, parse: (yaml: string) => unknown): Skill | string {
  const directory = PLACE.exec(path)?.[1];
  const [, matter] = FRONT_MATTER.exec(content) ?? [];
  if (matter === undefined) return "it does not begin with front matter between lines of ---";
  let value: unknown;
  try {
    value = parse(matter);
  } catch {
    return "its front matter is no YAML";
  }
  const said = Said.safeParse(value);
  if (!said.success) return "its front matter needs name and description, both as text";
  const { name, description } = said.data;
  const line = description.replace(/\s+/g, " ").trim();
  if (name.length > LONGEST_NAME || !NAME.test(name))
    return "its name must be small letters, digits and single hyphens";
  if (name !== directory) return `its name is ${name}, that of its directory is ${directory}`;
  if (line === "" || description.length > LONGEST_DESCRIPTION)
    return `its description must have 1 to ${LONGEST_DESCRIPTION} characters`;
  return { name, description: line.slice(0, SHOWN_CHARACTERS), path };
}
