import type { Selectable } from "kysely";
import { Event } from "../domain/task/event.ts";
import { PLAN_EVENTS } from "../domain/task/plan-state.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The rows of a task's events after the given number, in order. */
export const eventRows = (store: Store, task: string, after: number, limit: number) =>
  store.read
    .selectFrom("events")
    .selectAll()
    .where("task_id", "=", task)
    .where("number", ">", after)
    .orderBy("number")
    .limit(limit)
    .execute();

/** The events of a task after the given number, in order. Another process follows a task by them. */
export async function readEvents(store: Store, task: string, after = 0, limit = 1000): Promise<Event[]> {
  return (await eventRows(store, task, after, limit)).map(toEvent);
}

function toEvent({ task_id, number, at, step, body }: Selectable<Tables["events"]>): Event {
  return Event.parse({ task: task_id, number, at: Number(at), step, ...JSON.parse(body) });
}

/** The last event of a type that a task has; undefined if it has none. */
export async function newestEvent<T extends Event["type"]>(
  store: Store,
  task: string,
  type: T,
): Promise<Extract<Event, { type: T }> | undefined> {
  const row = await store.read
    .selectFrom("events")
    .selectAll()
    .where("task_id", "=", task)
    .where("type", "=", type)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  const event = row && toEvent(row);
  return event && isOf(event, type) ? event : undefined;
}

const isOf = <T extends Event["type"]>(event: Event, type: T): event is Extract<Event, { type: T }> =>
  event.type === type;

const PAGE = 1000;

/** Everything that has happened in a task, in order. */
export async function* eventsOf(store: Store, task: string): AsyncGenerator<Event> {
  for (let after = 0; ; ) {
    const events = await readEvents(store, task, after, PAGE);
    yield* events;
    const last = events.at(-1);
    if (!last || events.length < PAGE) return;
    after = last.number;
  }
}

/** What says how far the plans of these tasks are, by task, in order. */
export async function planEvents(store: Store, tasks: string[]): Promise<Map<string, Event[]>> {
  if (tasks.length === 0) return new Map();
  const rows = await store.read
    .selectFrom("events")
    .selectAll()
    .where("task_id", "in", tasks)
    .where("type", "in", [...PLAN_EVENTS])
    .orderBy("task_id")
    .orderBy("number")
    .execute();
  return Map.groupBy(rows.map(toEvent), ({ task }) => task);
}
