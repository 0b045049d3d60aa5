import type { App } from "../../app.ts";
import { currentPlan } from "../../domain/task/current-plan.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { openLanguages } from "../../languages/open-languages.ts";
import { documentOfTask, type TaskEvidence } from "../../verify/evidence/document-of-task.ts";
import { eventsOf } from "./events-of.ts";

/** The evidence of a task of the database. */
export async function evidenceOfTask(app: App, task: TaskSummary): Promise<TaskEvidence> {
  const events: Event[] = [];
  for await (const event of eventsOf(app.store, task.id)) events.push(event);
  const spec = currentPlan(events)?.spec;
  const language = spec && openLanguages().named(spec.language);
  return documentOfTask({
    task,
    recording: await app.recording(task.id),
    events,
    artifacts: app.artifacts,
    isTestFile: (path) => language?.isTestFile(path) ?? false,
  });
}
