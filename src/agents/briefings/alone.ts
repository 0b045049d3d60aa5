import type { Message } from "../../domain/message.ts";
import type { Attachment } from "../../domain/task/task.ts";
import { type ProjectView, projectSections, sections, userMessage } from "./sections.ts";

/** For a role that is asked alone: what it is to work on is all in the person's words. */
export const briefAlone = (words: string, project: ProjectView, attachments: Attachment[]): Message =>
  userMessage(sections([["Your task", words], ...projectSections(project)]), attachments);
