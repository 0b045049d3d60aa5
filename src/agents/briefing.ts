import type { Message } from "../domain/message.ts";
import type { GoalSize, Todo } from "../domain/plan.ts";
import type { Requirement, Spec } from "../domain/spec.ts";
import type { Attachment } from "../domain/task.ts";

/*
 * What each role is shown. Pure text making: everything in it comes from recorded steps, so that the same steps always
 * give the same request. Times, absolute paths and ids of this machine never enter.
 */

export interface ProjectView {
  /** Paths of the project, bounded; `more` says how many are left out. */
  paths: string[];
  more: number;
  language: string;
  versions: Record<string, string>;
  /** The project's own instructions for agents (AGENTS.md), bounded. */
  instructions: string;
}

export function userMessage(text: string, attachments: Attachment[] = []): Message {
  return {
    role: "user",
    content: [{ type: "text", text }, ...attachments.map((file) => ({ type: "file" as const, ...file }))],
  };
}

export function briefPlanner(goal: string, project: ProjectView, effort: string, attachments: Attachment[]): Message {
  const size =
    effort === "quick" ? "\nTreat the goal as small." : effort === "thorough" ? "\nTreat the goal as large." : "";
  return userMessage(sections([["Goal", goal + size], ...projectSections(project)]), attachments);
}

export function briefTester(
  spec: Spec,
  todos: Todo[],
  size: GoalSize,
  project: ProjectView,
  conventions: string,
  files: string,
): Message {
  return userMessage(
    sections([
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      ["Todos", todos.map((todo) => `- ${todo.id}: ${todo.title} (${todo.requirements.join(", ")})`).join("\n")],
      ["Size", size],
      ["Conventions", conventions],
      ...projectSections(project),
      ["Files", files],
    ]),
  );
}

export interface CoderBrief {
  goal: string;
  spec: Spec | undefined;
  todo: Todo | undefined;
  project: ProjectView;
  accept: string[];
  testFiles: string[];
  /** What earlier iterations taught, newest last. */
  notes: string[];
  /** The change so far, as a diff, from the second iteration on. */
  change: string;
  red: string;
  attachments: Attachment[];
}

export function briefCoder(brief: CoderBrief): Message {
  const { spec, todo } = brief;
  const requirements = spec?.requirements.filter(
    (item) => !todo || todo.requirements.length === 0 || todo.requirements.includes(item.id),
  );
  return userMessage(
    sections([
      ["Goal", brief.goal],
      ["Your part", todo && spec && spec.requirements.length > (requirements?.length ?? 0) ? todo.title : ""],
      ["Requirements", requirements ? requirementList(requirements) : ""],
      ["Out of scope", list(spec?.outOfScope ?? [])],
      ["Tests that must pass (read-only)", list(brief.testFiles)],
      ["Commands that must succeed", list(brief.accept)],
      ...projectSections(brief.project),
      ["Your change so far", brief.change],
      ["What is still red", brief.red],
      ["Notes from earlier attempts", brief.notes.join("\n\n")],
    ]),
    brief.attachments,
  );
}

export function briefReflector(
  spec: Spec | undefined,
  goal: string,
  change: string,
  red: string,
  notes: string[],
): Message {
  return userMessage(
    sections([
      ["Goal", goal],
      ["Requirements", spec ? requirementList(spec.requirements) : ""],
      ["The change", change],
      ["What the tests said", red],
      ["Earlier findings", notes.join("\n\n")],
    ]),
  );
}

export function briefReplanner(
  spec: Spec | undefined,
  goal: string,
  project: ProjectView,
  red: string,
  notes: string[],
): Message {
  const task =
    "The approach so far does not work. Plan another one for the same requirements; keep their ids and texts.";
  return userMessage(
    sections([
      ["Goal", `${goal}\n\n${task}`],
      ["Requirements", spec ? requirementList(spec.requirements) : ""],
      ["What is red", red],
      ["What was tried", notes.join("\n\n")],
      ...projectSections(project),
    ]),
  );
}

export function requirementList(requirements: Requirement[]): string {
  return requirements
    .map((item) => {
      const example = item.example ? `\n  example: ${item.example.input} → ${item.example.output}` : "";
      return `${item.id}: ${item.text}${item.assumption ? " (assumption)" : ""}${example}`;
    })
    .join("\n");
}

function projectSections(project: ProjectView): [string, string][] {
  const listing = project.paths.length === 0 ? "(empty)" : project.paths.join("\n");
  const versions = Object.entries(project.versions).map(([name, version]) => `${name} ${version}`);
  return [
    ["Project files", project.more > 0 ? `${listing}\n… and ${project.more} more` : listing],
    ["Tools", versions.join(", ")],
    ["Project instructions", project.instructions],
  ];
}

const list = (items: string[]): string => items.map((item) => `- ${item}`).join("\n");

/** Empty sections are left out: a model should not read headings without a text. */
function sections(parts: [string, string][]): string {
  return parts
    .filter(([, text]) => text.trim() !== "")
    .map(([heading, text]) => `# ${heading}\n${text}`)
    .join("\n\n");
}
