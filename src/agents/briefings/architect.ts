import type { Message } from "../../domain/message.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import {
  amendmentList,
  list,
  type ProjectView,
  projectSections,
  requirementList,
  SAID,
  sections,
  userMessage,
} from "./sections.ts";

export interface ArchitectBrief {
  goal: string;
  spec: Spec;
  todos: Todo[];
  project: ProjectView;
}

export function briefArchitect({ goal, spec, todos, project }: ArchitectBrief): Message {
  const parts = todos.map((todo) => `- ${todo.id}: ${todo.title} (${todo.requirements.join(", ")})`);
  return userMessage(
    sections([
      ["Goal", goal],
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      [SAID, amendmentList(spec)],
      [`Todos of a ${spec.kind} in ${spec.language}`, parts.join("\n")],
      ...projectSections(project),
    ]),
  );
}
