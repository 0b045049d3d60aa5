import { z } from "zod";
import { currentRequest, forRequest } from "../../bus/correlation.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { Stopped } from "../../engine/hands/stop.ts";
import type { Store } from "../../store/store.ts";
import type { Purpose, Queue } from "./queue.ts";

const PurposeColumn = z.enum(["plan", "work"]);

interface Job {
  task: string;
  purpose: Purpose;
  /** Names this promise: another one for the same task has a later time. */
  handedAt: number;
  /** The request that asked for it. */
  request: string | null;
}

export interface LocalQueueParts {
  store: Store;
  /** Works on a task until it ends, waits or is stopped. */
  run(task: string, purpose: Purpose, signal: AbortSignal): Promise<void>;
  parallel: number;
  report(error: unknown): void;
}

/**
 * A queue of this process. Promises are rows; the order of waiting jobs is in memory.
 *
 * Invariants:
 * 1. A row is written before a job waits. It is deleted when its run has ended by itself, or when it is withdrawn.
 * 2. A task is in one run at a time. What is handed meanwhile waits for its end.
 */
export class LocalQueue implements Queue {
  readonly #parts: LocalQueueParts;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, { job: Job; end: Promise<void> }>();
  #waiting: Job[] = [];
  #last = 0;

  constructor(parts: LocalQueueParts) {
    this.#parts = parts;
  }

  async hand(task: string, purpose: Purpose, prepare?: () => Promise<void>): Promise<void> {
    this.#last = Math.max(Date.now(), this.#last + 1);
    const job = { task, purpose, handedAt: this.#last, request: currentRequest() };
    await this.#write(job);
    try {
      await prepare?.();
    } catch (error) {
      await this.#delete(job);
      throw error;
    }
    this.#waiting = [...this.#waiting.filter((other) => other.task !== task), job];
    this.#begin();
  }

  promised(task: string): Purpose | undefined {
    return this.#waiting.find((job) => job.task === task)?.purpose ?? this.#running.get(task)?.job.purpose;
  }

  async withdraw(task: string): Promise<void> {
    this.#waiting = this.#waiting.filter((job) => job.task !== task);
    await this.#parts.store.write(async (tx) => {
      await tx.deleteFrom("jobs").where("task_id", "=", task).execute();
    });
  }

  async recover(): Promise<void> {
    const rows = await this.#parts.store.read.selectFrom("jobs").selectAll().orderBy("handed_at").execute();
    for (const row of rows) {
      const handedAt = Number(row.handed_at);
      this.#last = Math.max(this.#last, handedAt);
      const { task_id: task, request } = row;
      this.#waiting.push({ task, purpose: PurposeColumn.parse(row.purpose), handedAt, request });
    }
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Stopped("interrupted"));
    await Promise.all([...this.#running.values()].map(({ end }) => end));
  }

  #begin(): void {
    while (!this.#stop.signal.aborted && this.#running.size < this.#parts.parallel) {
      const at = this.#waiting.findIndex(({ task }) => !this.#running.has(task));
      const [job] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!job) return;
      this.#running.set(job.task, { job, end: this.#work(job) });
    }
  }

  async #work(job: Job): Promise<void> {
    const { run, report } = this.#parts;
    try {
      await forRequest(job.request, () => run(job.task, job.purpose, this.#stop.signal));
      if (!this.#stop.signal.aborted) await this.#delete(job);
    } catch (error) {
      // The promise stands until the next start: what could not even begin may be mended by then.
      report(error);
      if (isOver(error)) await this.#delete(job).catch(report);
    }
    this.#running.delete(job.task);
    this.#begin();
  }

  async #write({ task, purpose, handedAt, request }: Job): Promise<void> {
    const row = { task_id: task, purpose, handed_at: handedAt, request };
    await this.#parts.store.write(async (tx) => {
      await tx
        .insertInto("jobs")
        .values(row)
        .onConflict((conflict) => conflict.column("task_id").doUpdateSet({ purpose, handed_at: handedAt, request }))
        .execute();
    });
  }

  /** Only this promise: a later one for the same task stays. */
  async #delete({ task, handedAt }: Job): Promise<void> {
    await this.#parts.store.write(async (tx) => {
      await tx.deleteFrom("jobs").where("task_id", "=", task).where("handed_at", "=", handedAt).execute();
    });
  }
}

/** There is nothing left to do: the task has ended, or was never made. */
const isOver = (error: unknown): boolean =>
  error instanceof TerminalFailure && ["task.unknown", "task.settled"].includes(error.failure.code);
