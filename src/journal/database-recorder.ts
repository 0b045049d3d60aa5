import type { Transaction } from "kysely";
import type { Bus } from "../bus/bus.ts";
import { fail } from "../domain/failure.ts";
import type { Event } from "../domain/task/event.ts";
import type { Step } from "../domain/task/step.ts";
import { CompiledOnce, type Mark } from "../store/compiled.ts";
import type { RunCompiled } from "../store/dialect.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { auditEvent } from "./audit-event.ts";
import { rowHash } from "./chain.ts";
import { hearAgain } from "./messages.ts";
import { projectState } from "./project.ts";
import { projectMemory } from "./project-memory.ts";
import type { NewStep, Recorder } from "./recording.ts";
import { talliesOf, tally } from "./tally.ts";

/** Throws if this strand, or anything of this run, may not be written, inside of the transaction that writes. */
export type Fence = (tx: Transaction<Tables>, strand?: string) => Promise<void>;

/**
 * Appends the steps of one task under one claim.
 *
 * Invariants:
 * 1. Step, blobs, events and projections commit in one transaction.
 * 2. An append with an epoch that is no longer the task's is refused: a later claim owns the task.
 * 3. Events reach the bus only after they are committed.
 * 4. What a step names is where others find it before the step is recorded (`beforeStep`).
 */
export class DatabaseRecorder implements Recorder {
  readonly #store: Store;
  readonly #task: string;
  readonly #epoch: number;
  readonly #bus: Bus;
  readonly #beforeStep: ((task: string) => Promise<void>) | undefined;
  /** Blobs that this process has committed. A growing transcript refers to its old parts again and again. */
  readonly #stored = new Set<string>();
  readonly #queries = hotQueries();
  readonly #fence: Fence | undefined;

  constructor(
    store: Store,
    task: string,
    epoch: number,
    bus: Bus,
    beforeStep?: (task: string) => Promise<void>,
    fence?: Fence,
  ) {
    this.#fence = fence;
    this.#store = store;
    this.#task = task;
    this.#epoch = epoch;
    this.#bus = bus;
    this.#beforeStep = beforeStep;
  }

  async append(step: NewStep): Promise<Step> {
    await this.#beforeStep?.(this.#task);
    const fresh: [string, string][] = [];
    for (const blob of step.blobs) if (!this.#stored.has(blob[0])) fresh.push(blob);
    const { row, events } = await this.#store.write(
      async (tx, run) => {
        await this.#fence?.(tx, step.strand);
        const counts = await this.#count(tx, run, 1, step.events.length, step.endedAt);
        const unhashed = {
          task: this.#task,
          strand: step.strand,
          generation: step.generation,
          position: step.position,
          sequence: counts.steps - 1,
          path: step.path,
          kind: step.kind,
          inputHash: step.inputHash,
          outcome: step.outcome,
          outputHash: step.outputHash,
          startedAt: step.startedAt,
          endedAt: step.endedAt,
          previousHash: step.previousHash,
        };
        const row: Step = { ...unhashed, hash: rowHash(unhashed) };
        for (const [hash, text] of fresh)
          await run(this.#queries.insertBlob.with(tx, { hash, bytes: Buffer.from(text, "utf8") }));
        await run(this.#queries.insertStep.with(tx, row));
        const events = await this.#insertEvents(tx, run, step, counts.events);
        return { row, events };
      },
      { durable: step.durable },
    );
    for (const [hash] of fresh) this.#stored.add(hash);
    for (const event of events) this.#bus.publish(event);
    return row;
  }

  async startGeneration(strand: string, start: number, left: string[]): Promise<void> {
    await this.#store.write(async (tx, run) => {
      await this.#fence?.(tx, strand);
      await this.#count(tx, run, 0, 0, Date.now());
      const last = await tx
        .selectFrom("generations")
        .select((eb) => eb.fn.max("generation").as("generation"))
        .where("task_id", "=", this.#task)
        .where("strand", "=", strand)
        .executeTakeFirst();
      await tx
        .insertInto("generations")
        .values({
          task_id: this.#task,
          strand,
          generation: Number(last?.generation ?? 0) + 1,
          start,
          created_at: Date.now(),
        })
        .execute();
      await hearAgain(tx, this.#task, left);
    });
  }

  /** Raises the task's counters. It is also the fence: with an old epoch no row matches. */
  async #count(tx: Transaction<Tables>, run: RunCompiled, steps: number, events: number, at: number) {
    const values = { steps, events, at, task: this.#task, epoch: this.#epoch };
    const [row] = await run(this.#queries.raiseCounters.with(tx, values));
    if (!row) {
      throw fail(
        "environment",
        "journal.fenced",
        `task ${this.#task} was taken over by another process; this one stops`,
      );
    }
    return { steps: row.step_count, events: row.event_count };
  }

  async #insertEvents(
    tx: Transaction<Tables>,
    run: RunCompiled,
    { path, endedAt: at, events }: NewStep,
    total: number,
  ) {
    const numbered = events.map((body, index): Event => {
      return { task: this.#task, number: total - events.length + 1 + index, at, step: path, ...body };
    });
    for (const { task, number, at, step, ...body } of numbered) {
      const values = { task, number, at, step, type: body.type, body: JSON.stringify(body) };
      await run(this.#queries.insertEvent.with(tx, values));
    }
    for (const event of numbered) {
      await projectState(tx, event);
      await this.#tally(tx, run, event);
      await projectMemory(tx, event);
      await auditEvent(tx, event);
    }
    return numbered;
  }

  /** A fast path: most events count only one thing, and most steps have such an event. */
  async #tally(tx: Transaction<Tables>, run: RunCompiled, event: Event): Promise<void> {
    const [only, ...others] = event.type === "model-called" ? [] : talliesOf(event);
    if (only && others.length === 0) await run(this.#queries.raiseTally.with(tx, { task: event.task, ...only }));
    else await tally(tx, event);
  }
}

export async function insertBlobs(tx: Transaction<Tables>, blobs: [string, string][]): Promise<void> {
  const rows = blobs.map(([hash, text]) => ({ hash, bytes: Buffer.from(text, "utf8") }));
  await tx
    .insertInto("blobs")
    .values(rows)
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

/** The queries every step runs, compiled once per recorder. */
const hotQueries = () => ({
  insertBlob: new CompiledOnce((db, { text, bytes }: Mark<"hash" | "bytes">) =>
    db
      .insertInto("blobs")
      .values({ hash: text("hash"), bytes: bytes("bytes") })
      .onConflict((conflict) => conflict.column("hash").doNothing())
      .compile(),
  ),
  insertStep: new CompiledOnce((db, { text, number }: Mark<keyof Step>) =>
    db
      .insertInto("steps")
      .values({
        task_id: text("task"),
        strand: text("strand"),
        generation: number("generation"),
        position: number("position"),
        sequence: number("sequence"),
        path: text("path"),
        kind: text("kind"),
        input_hash: text("inputHash"),
        outcome: text("outcome"),
        output_hash: text("outputHash"),
        started_at: number("startedAt"),
        ended_at: number("endedAt"),
        previous_hash: text("previousHash"),
        hash: text("hash"),
      })
      .compile(),
  ),
  raiseTally: new CompiledOnce((db, { text, number }: Mark<"task" | "metric" | "label" | "total">) =>
    db
      .insertInto("tallies")
      .values({
        task_id: text("task"),
        metric: text("metric"),
        label: text("label"),
        times: 1,
        total: number("total"),
      })
      .onConflict((conflict) =>
        conflict.columns(["task_id", "metric", "label"]).doUpdateSet((eb) => ({
          times: eb("tallies.times", "+", 1),
          total: eb("tallies.total", "+", eb.ref("excluded.total")),
        })),
      )
      .compile(),
  ),
  insertEvent: new CompiledOnce((db, { text, number }: Mark<"task" | "number" | "at" | "step" | "type" | "body">) =>
    db
      .insertInto("events")
      .values({
        task_id: text("task"),
        number: number("number"),
        at: number("at"),
        step: text("step"),
        type: text("type"),
        body: text("body"),
      })
      .compile(),
  ),
  raiseCounters: new CompiledOnce((db, { text, number }: Mark<"steps" | "events" | "at" | "task" | "epoch">) =>
    db
      .updateTable("tasks")
      .set((eb) => ({
        step_count: eb("step_count", "+", number("steps")),
        event_count: eb("event_count", "+", number("events")),
        updated_at: number("at"),
      }))
      .where("id", "=", text("task"))
      .where("epoch", "=", number("epoch"))
      .returning(["step_count", "event_count"])
      .compile(),
  ),
});
