import { Event } from "../domain/task/event.ts";
import type { Store } from "./store.ts";

/** The events of a task after the given number, in order. Another process follows a task by them. */
export async function readEvents(store: Store, task: string, after = 0, limit = 1000): Promise<Event[]> {
  const rows = await store.read
    .selectFrom("events")
    .selectAll()
    .where("task_id", "=", task)
    .where("number", ">", after)
    .orderBy("number")
    .limit(limit)
    .execute();
  return rows.map((row) =>
    Event.parse({ task, number: row.number, at: Number(row.at), step: row.step, ...JSON.parse(row.body) }),
  );
}
