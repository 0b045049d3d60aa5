import type { App } from "../../app.ts";
import { documentOfTask, type TaskEvidence } from "../../verify/evidence/document-of-task.ts";

/** The evidence of a task of the database. */
export const evidenceOfTask = async (app: App, task: string): Promise<TaskEvidence> =>
  documentOfTask({ recording: await app.recording(task), artifacts: app.artifacts });
