import type { Message } from "../../domain/message.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { Attachment } from "../../domain/task/task.ts";
import { quoted, type ShownFile, showFiles } from "../shown-files.ts";
import type { ReflectorBrief } from "./reflector.ts";
import {
  amendmentList,
  list,
  MEMORY,
  type ProjectView,
  projectSections,
  requirementList,
  SAID,
  sections,
  todoLine,
  userMessage,
} from "./sections.ts";

/** What the goal may refer to by "it" or "instead". */
const EARLIER = "What was done before this goal (context: it is in the project already)";

export interface PlannerBrief {
  goal: string;
  project: ProjectView;
  /** Files of a small project, and those that the goal names. */
  files?: ShownFile[];
  effort: string;
  attachments: Attachment[];
  recalled?: string;
  earlier?: string | undefined;
}

export function briefPlanner(brief: PlannerBrief): Message {
  const { goal, project, files = [], effort, attachments, recalled = "", earlier = "" } = brief;
  const size =
    effort === "quick" ? "\nTreat the goal as small." : effort === "thorough" ? "\nTreat the goal as large." : "";
  return userMessage(
    sections([
      ["Goal", goal + size],
      [EARLIER, earlier],
      ...projectSections(project),
      ["Files", showFiles(files, goal)],
      [MEMORY, recalled],
    ]),
    attachments,
  );
}

export type ReplannerBrief = Omit<ReflectorBrief, "tests" | "said"> & { project: ProjectView };

export function briefReplanner({ spec, goal, project, change, red, notes, recalled }: ReplannerBrief): Message {
  const task =
    "The attempts so far stayed red. Requirements and tests stay as they are: do not call `finish`, but tell the coder in a few sentences of plain text how to go about it now, in another way where the way is at fault.";
  return userMessage(
    sections([
      ["Goal", goal],
      ["Your task now", task],
      ["Requirements", spec ? requirementList(spec.requirements) : ""],
      ["The change so far", quoted(change)],
      ["What is red", quoted(red)],
      ["What was tried", notes.join("\n\n")],
      [MEMORY, recalled ?? ""],
      ...projectSections(project),
    ]),
  );
}

export interface WayBrief extends ReplannerBrief {
  /** The finished todos, and the current form of the others. */
  done: Todo[];
  left: Todo[];
  todo: Todo | undefined;
}

/** Like `briefReplanner`, for a plan whose rest may be changed, too. */
export function briefWay({ done, left, todo, ...brief }: WayBrief): Message {
  const task = [
    "The attempts so far stayed red. Requirements and tests stay as they are.",
    "Where only the way is at fault, tell the coder in a few sentences of plain text how to go about it now.",
    "Where the plan itself has turned out to be wrong (a todo that is too large, one that is missing or needless, a wrong order, wrong files), call `finish` with all todos that are left from now on: those that stay under their ids, others added, split, dropped or in another order. Together with what is done they must fulfil every requirement. `why`: one sentence.",
  ].join("\n");
  return userMessage(
    sections([
      ["Goal", brief.goal],
      ["Your task now", task],
      ["Requirements", brief.spec ? requirementList(brief.spec.requirements) : ""],
      ["Todos that are done", list(done.map(todoLine))],
      ["Todos that are left", list(left.map(todoLine))],
      ["The todo that stays red", todo?.id ?? ""],
      ["The change so far", quoted(brief.change)],
      ["What is red", quoted(brief.red)],
      ["What was tried", brief.notes.join("\n\n")],
      [SAID, amendmentList(brief.spec)],
      [MEMORY, brief.recalled ?? ""],
      ...projectSections(brief.project),
    ]),
  );
}

export interface AmendmentBrief {
  goal: string;
  spec: Spec;
  /** The person's new message. */
  words: string;
  done: Todo[];
  left: Todo[];
  project: ProjectView;
}

/** A person sent a message during the work. The planner makes it part of the spec. */
export function briefAmendment({ goal, spec, words, done, left, project }: AmendmentBrief): Message {
  const task = [
    "The work is under way, and the person has said something more. Decide what it changes.",
    "Where it changes nothing that a test could show (a hint, a wish how to do it), answer with one sentence of plain text; the coder is given the person's words.",
    "Otherwise call `finish` with the whole spec and plan as they are from now on. `requirements`: all of them; those that stay word for word; a changed one keeps its id, a new one gets a new id; the `quote` of both is from the person's new words. One that the person takes back is left out and named in `outOfScope` as `R2: the person's words`.",
    "`todos`: all that are left from now on. What is done stays as it is and need not be repeated: a new or changed requirement belongs to a todo that is left, or to a new one. `superseded`: only tests of the project that the new words make obsolete.",
  ].join("\n");
  return userMessage(
    sections([
      ["Goal", goal],
      ["Your task now", task],
      ["The person's new words", quoted(words)],
      [SAID, amendmentList(spec)],
      ["Requirements", requirementList(spec.requirements)],
      ["Out of scope", list(spec.outOfScope)],
      ["Todos that are done", list(done.map(todoLine))],
      ["Todos that are left", list(left.map(todoLine))],
      ...projectSections(project),
    ]),
  );
}
