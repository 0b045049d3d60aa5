import { Event } from "../domain/task/event.ts";
import type { Store } from "./store.ts";

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
  const rows = await eventRows(store, task, after, limit);
  return rows.map((row) =>
    Event.parse({ task, number: row.number, at: Number(row.at), step: row.step, ...JSON.parse(row.body) }),
  );
}
