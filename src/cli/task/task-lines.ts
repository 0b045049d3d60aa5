import { stateOf } from "../../app/task-state.ts";
import type { App } from "../../app.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { listMessages } from "../../journal/messages.ts";
import { eventsOf } from "../../store/events.ts";
import { unsettledCalls } from "../../store/unsettled-calls.ts";
import { type Line, line } from "../text/line.ts";
import { changeLines } from "../text/messages-text.ts";
import { printable } from "../text/printable.ts";
import { storyLines } from "../text/story-text.ts";
import { answeredTokens, describeTask } from "../text/task-text.ts";
import { spendingLines } from "./spending-lines.ts";

/** What a task is, where it stands, what it did and what it cost. */
export async function taskLines({ store }: Pick<App, "store">, task: TaskSummary): Promise<Line[]> {
  const events: Event[] = [];
  for await (const event of eventsOf(store, task.id)) events.push(event);
  const messages = await listMessages(store, task.id);
  const state = await stateOf(store, task);
  const lines = [
    ...storyLines(events, task.status),
    ...changeLines(events, messages, task.status),
    ...(await spendingLines(store, task.id)),
  ];
  const unsettled = (await unsettledCalls(store, [task.id])).get(task.id);
  const head = describeTask(task, state, Date.now(), unsettled, answeredTokens(events)).trimEnd().split("\n");
  return [...head, ...lines.map(printable)].map((text) => line(text));
}
