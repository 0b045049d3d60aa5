import type { Message } from "../../domain/message.ts";
import type { Attachment } from "../../domain/task/task.ts";
import { quoted } from "../shown-files.ts";
import { list, type ProjectView, projectSections, sections, userMessage } from "./sections.ts";

export interface ReprompterBrief {
  goal: string;
  why: string;
  project: ProjectView;
  /** The questions with the person's answers. */
  answers: string[];
  /** What the reprompter wrote before it had the answers. */
  draft?: string | undefined;
  attachments: Attachment[];
}

export function briefReprompter({ goal, why, project, answers, draft, attachments }: ReprompterBrief): Message {
  return userMessage(
    sections([
      ["Goal", goal],
      ["Why it is vague", why],
      ["Your draft", draft === undefined ? "" : quoted(draft)],
      ["The person's answers", list(answers)],
      ...projectSections(project),
    ]),
    attachments,
  );
}
