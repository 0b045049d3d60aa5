import type { Selectable, Transaction } from "kysely";
import { z } from "zod";
import { fail } from "../domain/failure.ts";
import type { ToldMessage } from "../domain/plan/amendment.ts";
import type { Event } from "../domain/task/event.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { appendEvent } from "./append-event.ts";

/** A message as it is stored. */
export interface KeptMessage extends ToldMessage {
  heardAt: number | null;
}

const OPEN = new Set(["running", "paused"]);

/** Stores a message for the process that works on the task, now or later. It is durable when this returns. */
export async function tellTask(store: Store, task: string, message: ToldMessage): Promise<Event> {
  return store.write(async (tx) => {
    const row = await tx.selectFrom("tasks").select("status").where("id", "=", task).executeTakeFirst();
    if (!row) throw fail("invalid-input", "task.unknown", `there is no task ${task}; \`miracle history\` lists them`);
    if (!OPEN.has(row.status)) throw over(task, row.status);
    const event = await appendEvent(tx, task, { type: "message-told", message }, { at: message.at });
    if (!event) throw new Error(`task ${task} is gone`);
    return event;
  });
}

const over = (task: string, status: string) =>
  fail(
    "invalid-input",
    "task.settled",
    `task ${task} is over (${status}) and hears nothing more: \`miracle continue ${task} "…"\` goes on from its result, \`miracle fork ${task} --at STEP\` from one of its steps, \`miracle run "…"\` begins anew`,
  );

/** The messages of one task, for the process that works on it. Each is heard once, in the order of sending. */
export class MessageBook {
  readonly #store: Store;
  readonly #task: string;

  constructor(store: Store, task: string) {
    this.#store = store;
    this.#task = task;
  }

  /** The oldest unheard message. It counts as heard once the step that took it is recorded, never before. */
  async next(): Promise<ToldMessage | null> {
    const row = await this.#store.read
      .selectFrom("messages")
      .selectAll()
      .where("task_id", "=", this.#task)
      .where("heard_at", "is", null)
      .orderBy("number")
      .limit(1)
      .executeTakeFirst();
    if (!row) return null;
    const { heardAt: _, ...message } = toMessage(row);
    return message;
  }
}

/** In the order of sending. */
export async function listMessages(store: Store, task: string): Promise<KeptMessage[]> {
  const rows = await store.read
    .selectFrom("messages")
    .selectAll()
    .where("task_id", "=", task)
    .orderBy("number")
    .execute();
  return rows.map(toMessage);
}

/**
 * Marks messages as unheard again because the steps that heard them were left behind. The new generation hears them
 * again.
 */
export async function hearAgain(tx: Transaction<Tables>, task: string, steps: readonly string[]): Promise<void> {
  const heard = await tx
    .selectFrom("events")
    .select(["step", "body"])
    .where("task_id", "=", task)
    .where("type", "=", "message-heard")
    .execute();
  const ids = heard
    .filter(({ step }) => steps.includes(step))
    .map(({ body }) => HeardBody.parse(JSON.parse(body)).message.id);
  if (ids.length === 0) return;
  await tx.updateTable("messages").set({ heard_at: null }).where("task_id", "=", task).where("id", "in", ids).execute();
}

const HeardBody = z.lazy(() => z.object({ message: z.object({ id: z.string() }) }));

function toMessage(row: Selectable<Tables["messages"]>): KeptMessage {
  const heardAt = row.heard_at === null ? null : Number(row.heard_at);
  return { id: row.id, text: row.text, by: row.said_by, at: Number(row.told_at), heardAt };
}
