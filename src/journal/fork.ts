import type { Transaction } from "kysely";
import { fail } from "../domain/failure.ts";
import { type Json, plainJson } from "../domain/json.ts";
import type { Role } from "../domain/message.ts";
import type { Event } from "../domain/task/event.ts";
import type { Step } from "../domain/task/step.ts";
import { nameOf } from "../domain/task/step-path.ts";
import { readEvents } from "../store/events.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { genesis, rowHash } from "./chain.ts";
import { insertBlobs } from "./database-recorder.ts";
import type { Frozen } from "./frozen.ts";
import { pack, unpack } from "./pack.ts";
import { personAsking } from "./person-asking.ts";
import { projectState } from "./project.ts";
import type { Recording } from "./recording.ts";
import type { Redact } from "./redact.ts";

export interface ForkRequest {
  /** The id of the new task. */
  task: string;
  /** The sequence of the parent's first step that is done anew. */
  at: number;
  /** The parent's frozen settings, with the changes that hold from there on. */
  frozen: Frozen;
  /** Roles whose prompt is one of those changes. */
  prompts: Role[];
  /** True if this task would ask the model differently than the parent did: with another prompt or another model. */
  asksOtherwise: boolean;
  redact: Redact;
  clock: () => number;
}

const BATCH = 200;

/**
 * Creates a new task with the parent's past up to a step, paused before that step; `resume` continues there. Blobs are
 * shared, because they are named by their content. Only the rows are written again, as the new task's own chain. It is
 * one transaction, so a fork exists completely or not at all. The parent is only read.
 */
export async function forkTask(store: Store, parent: Recording, request: ForkRequest): Promise<{ steps: number }> {
  const past = (await newestSteps(parent)).filter((step) => step.sequence < request.at);
  refuseDelivered(past, parent.task);
  const frozen = pack(request.redact(plainJson({ ...request.frozen, fork: forkOf(parent, request, past) })));
  const { steps, blobs } = await rechain(parent, past, request.task, frozen.hash);
  const events = await pastEvents(store, parent.task, past, request.task);
  const now = request.clock();
  await store.write(async (tx) => {
    await insertBlobs(tx, [...frozen.blobs, ...blobs]);
    const { goal, directory, type } = request.frozen.request;
    const counts = { step_count: steps.length, event_count: events.length, epoch: 0 };
    const ends = { base_tree: null, final_code: null, failure: null, owner: null, wish: null };
    await tx
      .insertInto("tasks")
      .values({
        id: request.task,
        description: goal,
        directory,
        status: "paused",
        phase: "init",
        frozen_hash: frozen.hash,
        parent_id: parent.task,
        project_type: type ?? null,
        forked_at: request.at,
        created_at: now,
        updated_at: now,
        person: personAsking(),
        ...counts,
        ...ends,
      })
      .execute();
    await insertSteps(tx, steps);
    await insertEvents(tx, events);
    // The fork gets the state of the past but not its cost, which the parent paid.
    for (const event of events) await projectState(tx, event);
  });
  return { steps: steps.length };
}

/** Every step of the newest generations, in the order of recording. */
export async function newestSteps(recording: Recording): Promise<Step[]> {
  const strands = await Promise.all((await recording.strands()).map((name) => recording.strand(name)));
  return strands.flatMap(({ steps }) => steps).sort((a, b) => a.sequence - b.sequence);
}

/** If the parent is a fork itself, it passes on which of its steps were asked with other prompts than its own. */
function forkOf(parent: Recording, { at, frozen, prompts, asksOtherwise }: ForkRequest, past: Step[]): Frozen["fork"] {
  const handedOn = Math.min(frozen.fork?.askedOtherwise ?? 0, past.length);
  const askedOtherwise = asksOtherwise ? past.length : handedOn;
  return { task: parent.task, at, steps: past.length, prompts, askedOtherwise };
}

const DELIVERING = ["apply-intent", "branch-intent", "settle"];

/** What was written into a directory or a repository is the parent's doing: a fork of it would take it back, or not know of it. */
function refuseDelivered(past: Step[], task: string): void {
  const delivery = past.find(({ path }) => DELIVERING.includes(nameOf(path)));
  if (!delivery) return;
  throw fail(
    "invalid-input",
    "fork.delivered",
    `task ${task} was settled at step ${delivery.sequence} (${delivery.path}); fork it there or before`,
  );
}

/** The same steps as rows of another task, numbered without gaps. */
async function rechain(parent: Recording, past: Step[], task: string, frozenHash: string) {
  const heads = new Map<string, string>();
  const hashes = new Map<string, string>();
  const positions = new Map<string, number>();
  const blobs = new Map<string, string>();
  const steps: Step[] = [];
  for (const [sequence, step] of past.entries()) {
    const { strand } = step;
    const position = positions.get(strand) ?? 0;
    const input = step.kind === "model" ? undefined : await renamedHeads(parent, step, hashes);
    for (const [hash, text] of input?.blobs ?? []) blobs.set(hash, text);
    const { hash: old, ...rest } = step;
    const row = {
      ...rest,
      task,
      generation: 0,
      position,
      sequence,
      inputHash: input?.hash ?? step.inputHash,
      previousHash: heads.get(strand) ?? genesis(task, strand, frozenHash),
    };
    const hash = rowHash(row);
    steps.push({ ...row, hash });
    heads.set(strand, hash);
    hashes.set(old, hash);
    positions.set(strand, position + 1);
  }
  return { steps, blobs };
}

/**
 * A step may name the heads of strands that ended before it. In the new task these strands have other heads, so the input
 * is another one, too. Undefined where the step names none.
 */
async function renamedHeads(parent: Recording, step: Step, hashes: Map<string, string>) {
  let found = false;
  const renamed = (value: Json): Json => {
    if (typeof value === "string") {
      const head = hashes.get(value);
      if (head !== undefined) found = true;
      return head ?? value;
    }
    if (Array.isArray(value)) return value.map(renamed);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item)]));
  };
  const input = renamed(await unpack(step.inputHash, (hash) => parent.blob(hash)));
  return found ? pack(input) : undefined;
}

/** The events of exactly these steps. An older generation may have emitted others under the same path. */
async function pastEvents(store: Store, parent: string, past: Step[], task: string): Promise<Event[]> {
  const ended = new Map(past.map((step) => [step.path, step.endedAt]));
  const events: Event[] = [];
  for (let after = 0; ; ) {
    const page = await readEvents(store, parent, after);
    events.push(...page.filter((event) => event.step !== "" && ended.get(event.step) === event.at));
    const last = page.at(-1);
    if (!last) break;
    after = last.number;
  }
  return events.map((event, index) => ({ ...event, task, number: index + 1 }));
}

async function insertSteps(tx: Transaction<Tables>, steps: Step[]): Promise<void> {
  const rows = steps.map((step) => ({
    task_id: step.task,
    strand: step.strand,
    generation: step.generation,
    position: step.position,
    sequence: step.sequence,
    path: step.path,
    kind: step.kind,
    input_hash: step.inputHash,
    outcome: step.outcome,
    output_hash: step.outputHash,
    started_at: step.startedAt,
    ended_at: step.endedAt,
    previous_hash: step.previousHash,
    hash: step.hash,
  }));
  for (let at = 0; at < rows.length; at += BATCH) {
    await tx
      .insertInto("steps")
      .values(rows.slice(at, at + BATCH))
      .execute();
  }
}

async function insertEvents(tx: Transaction<Tables>, events: Event[]): Promise<void> {
  const rows = events.map(({ task, number, at, step, ...body }) => ({
    task_id: task,
    number,
    at,
    step,
    type: body.type,
    body: JSON.stringify(body),
  }));
  for (let at = 0; at < rows.length; at += BATCH) {
    await tx
      .insertInto("events")
      .values(rows.slice(at, at + BATCH))
      .execute();
  }
}
