import type { Selectable } from "kysely";
import type { Usage } from "../domain/message.ts";
import { Event } from "../domain/task/event.ts";
import type { Step } from "../domain/task/step.ts";
import { newestSteps } from "../journal/fork.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";

/** A step as it is listed: with what its model call used up. */
export type ListedStep = Selectable<Tables["steps"]> & { model?: string; usage?: Usage };

/** Steps of a task after this number, those of older generations too, in the order of recording. */
export async function stepPage(store: Store, task: string, after: number, limit: number): Promise<ListedStep[]> {
  const rows = await store.read
    .selectFrom("steps")
    .selectAll()
    .where("task_id", "=", task)
    .where("sequence", ">", after)
    .orderBy("sequence")
    .limit(limit)
    .execute();
  const calls = await modelCalls(store, task, rows);
  return rows.map((row) => ({ ...row, ...calls.get(`${row.path} ${Number(row.ended_at)}`) }));
}

/** By the step and when it ended: a later generation may have called under the same path. */
async function modelCalls(store: Store, task: string, steps: Selectable<Tables["steps"]>[]) {
  const calls = new Map<string, { model: string; usage: Usage }>();
  const times = steps.filter(({ kind }) => kind === "model").map(({ ended_at }) => Number(ended_at));
  if (times.length === 0) return calls;
  const rows = await store.read
    .selectFrom("events")
    .selectAll()
    .where("task_id", "=", task)
    .where("type", "=", "model-called")
    .where("at", ">=", Math.min(...times))
    .where("at", "<=", Math.max(...times))
    .execute();
  for (const { number, at, step, body } of rows) {
    const event = Event.parse({ task, number, at: Number(at), step, ...JSON.parse(body) });
    if (event.type === "model-called") calls.set(`${step} ${Number(at)}`, { model: event.model, usage: event.usage });
  }
  return calls;
}

/** What one step was given and what came of it, by its number or path; undefined if there is no such step. */
export async function readStep(recording: Recording, wanted: string) {
  const step = await findStep(recording, wanted);
  if (!step) return undefined;
  const load = (hash: string) => unpack(hash, (blob) => recording.blob(blob));
  return { ...step, input: await load(step.inputHash), output: await load(step.outputHash) };
}

/** A step of a task's newest generations, by its number or its path; undefined if it has none such. */
export async function findStep(recording: Recording, wanted: string): Promise<Step | undefined> {
  const steps = await newestSteps(recording);
  return steps.find(({ sequence, path }) => path === wanted || String(sequence) === wanted);
}
