import type { Message } from "../../domain/message.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { Attachment } from "../../domain/task/task.ts";
import { quoted, type ShownFile, showFiles } from "../shown-files.ts";
import {
  amendmentList,
  contractText,
  list,
  MEMORY,
  ownRequirements,
  type ProjectView,
  projectSections,
  requirementList,
  SAID,
  sections,
  userMessage,
} from "./sections.ts";

export interface CoderBrief {
  goal: string;
  spec: Spec | undefined;
  todo: Todo | undefined;
  project: ProjectView;
  /** Files that the work is about, as they were when it began. */
  files: ShownFile[];
  accept: string[];
  /** Commands for lint and type check of the project. */
  checks?: string[];
  /** The tests of this todo in full; `olderTests` are the paths of the tests of finished todos. */
  tests: ShownFile[];
  olderTests: string[];
  /** What earlier iterations taught, newest last. */
  notes: string[];
  /** The text that memory found, already quoted. */
  recalled?: string;
  /** The change so far, as a diff, from the second iteration on. */
  change: string;
  red: string;
  attachments: Attachment[];
}

/** What the work speaks of: by these words the parts of a long file are chosen. */
const aboutOf = ({ goal, spec, todo, tests }: CoderBrief): string =>
  [goal, todo?.title ?? "", requirementList(ownRequirements(spec, todo)), ...tests.map(({ content }) => content)].join(
    "\n",
  );

export function briefCoder(brief: CoderBrief): Message {
  const { spec, todo } = brief;
  const own = ownRequirements(spec, todo);
  const isPart = todo !== undefined && own.length < (spec?.requirements.length ?? 0);
  const lasting = sections([
    ["Goal", brief.goal],
    ["Your part of it", isPart ? `${todo.title}. The other parts are done separately.` : ""],
    ["What is to be done here", todo?.description ?? ""],
    ["Requirements", requirementList(own)],
    ["Out of scope", list(spec?.outOfScope ?? [])],
    [SAID, amendmentList(spec)],
    ["Contract to keep: names, parameters, errors", contractText(spec, todo)],
    ["Commands that must succeed", list(brief.accept)],
    ["Checks of the project that must have nothing new to say", list(brief.checks ?? [])],
    ...projectSections(brief.project),
    ["Tests that must pass (given, read-only)", showFiles(brief.tests)],
    ["Tests of finished parts, which must stay green", list(brief.olderTests)],
    ["Files", showFiles(brief.files, aboutOf(brief))],
  ]);
  const ofNow = sections([
    ["Your change so far, which the files above are without", quoted(brief.change)],
    ["What is still red", quoted(brief.red)],
    ["Notes from earlier attempts", brief.notes.join("\n\n")],
    [MEMORY, brief.recalled ?? ""],
  ]);
  return userMessage([lasting, ofNow], brief.attachments);
}
