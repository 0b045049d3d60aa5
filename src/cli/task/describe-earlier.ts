import type { App } from "../../app.ts";
import { currentPlan } from "../../domain/task/current-plan.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { eventsOf } from "../../store/events.ts";

const LONGEST_GOAL = 2_000;

/** What a task was about and came to, for whoever plans what follows on it. */
export async function describeEarlier(app: App, task: TaskSummary): Promise<string> {
  const events: Event[] = [];
  for await (const event of eventsOf(app.store, task.id)) events.push(event);
  const requirements = currentPlan(events)?.spec.requirements ?? [];
  const files = events.findLast((event) => event.type === "change-applied")?.files ?? [];
  return [
    `The goal was: ${task.goal.slice(0, LONGEST_GOAL)}`,
    `It ended ${task.status === "not-proven" ? "without a proof" : task.status}.`,
    ...(requirements.length > 0
      ? ["Its requirements:", ...requirements.map(({ id, text }) => `- ${id}: ${text}`)]
      : []),
    ...(files.length > 0 ? [`It changed ${files.slice(0, 20).join(", ")}.`] : []),
  ].join("\n");
}
