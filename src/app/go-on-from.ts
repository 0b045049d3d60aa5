import type { Settings } from "../domain/settings/settings.ts";
import { currentPlan } from "../domain/task/current-plan.ts";
import type { Event } from "../domain/task/event.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import { readFrozen } from "../journal/journal.ts";
import { eventsOf } from "../store/events.ts";
import { flagsAsBefore } from "./as-before.ts";
import { type DeliveringApp, unappliedResult } from "./deliver-task.ts";

const LONGEST_GOAL = 2_000;

/** What follows on a task: from its result, also where that was not applied, with its models and its past in mind. */
export async function goOnFrom(app: DeliveringApp, task: TaskSummary): Promise<Followed> {
  const startTree = await unappliedResult(app, task);
  const { settings, request } = await readFrozen(await app.recording(task.id));
  return {
    asked: flagsAsBefore(settings, request),
    ...(startTree && { startTree }),
    earlier: await describeEarlier(app, task),
    models: { models: settings.models, providers: settings.providers, prices: settings.prices },
  };
}

export interface Followed {
  /** The flags that say what the task was asked with. */
  asked: ReturnType<typeof flagsAsBefore>;
  startTree?: string;
  earlier: string;
  models: Pick<Settings, "models" | "providers" | "prices">;
}

/** What a task was about and came to, for whoever plans what follows on it. */
async function describeEarlier(app: DeliveringApp, task: TaskSummary): Promise<string> {
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
