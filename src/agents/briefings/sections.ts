import type { Message } from "../../domain/message.ts";
import { partOfContract } from "../../domain/plan/part-of-contract.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import { renderContract } from "../../domain/plan/render-contract.ts";
import type { Requirement, Spec } from "../../domain/plan/spec.ts";
import type { Attachment } from "../../domain/task/task.ts";
import { foldAlike } from "../fold-alike.ts";
import { quoted } from "../shown-files.ts";

/*
 * What each role is shown. These functions only make text. All of their input comes from recorded steps, so the same
 * steps always give the same request. Times, absolute paths and ids of this machine must never enter.
 */

export interface ProjectView {
  /**
   * Paths of the project, up to a limit; `more` is the number of omitted paths. Null: the files that matter are shown
   * in full.
   */
  listing: { paths: string[]; more: number } | null;
  versions: Record<string, string>;
  /** Packages that are missing can be asked for. */
  canAdd?: boolean;
  /** The project's own instructions for agents (AGENTS.md), up to a limit. */
  instructions: string;
  /** The project's skills by what they say of themselves; absent: none. */
  skills?: { name: string; description: string; path: string }[];
}

/**
 * A briefing. Several texts are parts of it: what stays the same from one request to the next comes first, so that a
 * provider can read it from its cache.
 */
export function userMessage(text: string | string[], attachments: Attachment[] = []): Message {
  const texts = [text].flat().filter((part, at) => at === 0 || part !== "");
  return {
    role: "user",
    content: [
      ...texts.map((part) => ({ type: "text" as const, text: part })),
      ...attachments.map((file) => ({ type: "file" as const, ...file })),
    ],
  };
}

/** Empty sections are left out: a model should not read headings without a text. */
export function sections(parts: [string, string][]): string {
  return parts
    .filter(([, text]) => text.trim() !== "")
    .map(([heading, text]) => `# ${heading}\n${text.trimEnd()}`)
    .join("\n\n");
}

export const list = (items: string[]): string => items.map((item) => `- ${item}`).join("\n");

export function projectSections({
  listing,
  versions,
  canAdd,
  instructions,
  skills = [],
}: ProjectView): [string, string][] {
  const { paths, more } = listing ?? { paths: [], more: 0 };
  const listed = [...foldAlike(paths), ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
  return [
    ["Project files", listing === null ? "" : listed === "" ? "(empty)" : listed],
    [
      "Available",
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ],
    ["Packages", canAdd ? "The coder can add released ones: name what a requirement needs in its text." : ""],
    ["Project instructions", instructions],
    [
      "Skills of the project (what their files say of themselves; where one fits your work, read it first with read_file)",
      list(skills.map(({ name, description, path }) => `${name} (${path}): ${description}`)),
    ],
  ];
}

export function requirementList(requirements: Requirement[]): string {
  return requirements
    .map((item) => {
      const example = item.example ? `\n  example: ${item.example.input} → ${item.example.output}` : "";
      return `${item.id}: ${item.text}${item.assumption ? " (assumption)" : ""}${example}`;
    })
    .join("\n");
}

/**
 * The contract without its examples: those are in the tests. For the coder of a todo the promises of other parts are
 * shortened.
 */
export function contractText(spec: Spec | undefined, todo?: Todo): string {
  if (!spec?.contract) return "";
  const part = todo ? partOfContract(spec.contract, todo) : spec.contract;
  return quoted(renderContract(part, { examples: false }));
}

export const ownRequirements = (spec: Spec | undefined, todo: Todo | undefined): Requirement[] =>
  spec?.requirements.filter((item) => !todo || todo.requirements.includes(item.id)) ?? [];

export function todoLine(todo: Todo): string {
  const { id, title, description, requirements, dependsOn, artifacts, files, acceptance, priority } = todo;
  const more = {
    fulfils: requirements,
    "depends on": dependsOn,
    artifacts,
    files: files ?? [],
    acceptance,
    priority: priority === undefined ? [] : [priority],
    description: description === undefined ? [] : [description.replace(/\s+/g, " ")],
  };
  const told = Object.entries(more).flatMap(([name, items]) =>
    items.length > 0 ? [`${name}: ${items.join(", ")}`] : [],
  );
  return `${id}: ${title}${told.length > 0 ? ` (${told.join("; ")})` : ""}`;
}

export const amendmentList = (spec: Spec | undefined): string =>
  (spec?.amendments ?? []).map(({ words }) => quoted(words)).join("\n");

export const SAID = "What the person said since, which counts more than the goal";

export const MEMORY = "From earlier work, quoted";
