import { z } from "zod";
import type { Store } from "../store/store.ts";

/** From when to when, in milliseconds. */
export type Span = readonly [from: number, to: number];

const Paused = z.object({ ranMs: z.number().optional() });

/**
 * How long a task has been worked on, over all its runs. A run that ended in order says how long it was; of one that was
 * killed the recorded steps tell. A fork does not answer for the steps it was given.
 */
export async function timeAtWork(store: Store, task: string): Promise<number> {
  const { created_at: created } = await store.read
    .selectFrom("tasks")
    .select("created_at")
    .where("id", "=", task)
    .executeTakeFirstOrThrow();
  const steps = await store.read
    .selectFrom("steps")
    .select(["started_at", "ended_at"])
    .where("task_id", "=", task)
    .where("started_at", ">=", Number(created))
    .execute();
  const pauses = await store.read
    .selectFrom("events")
    .select(["at", "body"])
    .where("task_id", "=", task)
    .where("type", "=", "task-paused")
    .where("at", ">=", Number(created))
    .execute();
  return covered([
    ...steps.map((step): Span => [Number(step.started_at), Number(step.ended_at)]),
    ...pauses.map(({ at, body }): Span => [Number(at) - (Paused.parse(JSON.parse(body)).ranMs ?? 0), Number(at)]),
  ]);
}

/** How much time these spans cover together: what overlaps counts once. */
export function covered(spans: Span[]): number {
  let until = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}
