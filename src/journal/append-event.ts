import type { Transaction } from "kysely";
import type { Event, EventBody } from "../domain/task/event.ts";
import type { Tables } from "../store/tables.ts";
import { project } from "./project.ts";

/**
 * Appends an event that belongs to no step (a pause, a question, its answer), in the caller's transaction. With an
 * epoch, it is refused (null) if a later claim owns the task.
 */
export async function appendEvent(
  tx: Transaction<Tables>,
  task: string,
  body: EventBody,
  { at, epoch }: { at: number; epoch?: number },
): Promise<Event | null> {
  let raise = tx
    .updateTable("tasks")
    .set((eb) => ({ event_count: eb("event_count", "+", 1) }))
    .where("id", "=", task);
  if (epoch !== undefined) raise = raise.where("epoch", "=", epoch);
  const row = await raise.returning("event_count").executeTakeFirst();
  if (!row) return null;
  const number = Number(row.event_count);
  await tx
    .insertInto("events")
    .values({ task_id: task, number, at, step: "", type: body.type, body: JSON.stringify(body) })
    .execute();
  const event: Event = { task, number, at, step: "", ...body };
  await project(tx, event);
  return event;
}
