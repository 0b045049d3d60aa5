import { z } from "zod";
import { currentRequest, forRequest } from "../../bus/correlation.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { Stopped } from "../../engine/hands/stop.ts";
import type { Store } from "../../store/store.ts";
import type { Purpose, Queue } from "./queue.ts";

const PurposeColumn = z.enum(["plan", "work"]);

/** How often it looks for promises that others made and do not keep. */
const LOOK_MS = 2000;

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
  /** Works on a task until it ends, waits or is stopped. False: it is not for this server to work on. */
  run(task: string, purpose: Purpose, signal: AbortSignal): Promise<boolean>;
  parallel: number;
  report(error: unknown): void;
  lookMs?: number;
}

/**
 * A queue of this process, beside those of others on the same database. Promises are rows; the order of waiting jobs is
 * in memory.
 *
 * Invariants:
 * 1. A row is written before a job waits. It is deleted when its run has ended by itself, or when it is withdrawn.
 * 2. A task is in one run at a time. In this process that is seen to here, among processes by the claim: who finds a
 *    task claimed looks again later. What is handed meanwhile waits for its end.
 * 3. A job begins only while its row is there: another process may have kept it, or taken it back.
 */
export class LocalQueue implements Queue {
  readonly #parts: LocalQueueParts;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  /** Tasks that are left alone until the next look, because somebody else works on them. */
  readonly #blocked = new Set<string>();
  /** Promises that are not for this process, or that it could not begin with: left to others, or to the next start. */
  readonly #left = new Map<string, number>();
  #waiting: Job[] = [];
  #last = 0;
  #timer: NodeJS.Timeout | undefined;

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
    this.#add(job);
    this.#begin();
  }

  async isPromised(task: string): Promise<boolean> {
    const { read } = this.#parts.store;
    const row = await read.selectFrom("jobs").select("task_id").where("task_id", "=", task).executeTakeFirst();
    return row !== undefined;
  }

  async withdraw(task: string): Promise<void> {
    this.#waiting = this.#waiting.filter((job) => job.task !== task);
    await this.#parts.store.write(async (tx) => {
      await tx.deleteFrom("jobs").where("task_id", "=", task).execute();
    });
  }

  async recover(): Promise<void> {
    await this.#look();
    const { lookMs = LOOK_MS, report } = this.#parts;
    this.#timer = setInterval(() => void this.#look().catch(report), lookMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(new Stopped("interrupted"));
    await Promise.all(this.#running.values());
  }

  async #look(): Promise<void> {
    this.#blocked.clear();
    const rows = await this.#parts.store.read.selectFrom("jobs").selectAll().orderBy("handed_at").execute();
    for (const { task_id: task, purpose, handed_at, request } of rows) {
      const handedAt = Number(handed_at);
      const isKnown = this.#running.has(task) || this.#waiting.some((job) => job.task === task);
      if (isKnown || this.#left.get(task) === handedAt) continue;
      this.#add({ task, purpose: PurposeColumn.parse(purpose), handedAt, request });
    }
    this.#begin();
  }

  #add(job: Job): void {
    this.#last = Math.max(this.#last, job.handedAt);
    this.#waiting = [...this.#waiting.filter(({ task }) => task !== job.task), job];
  }

  #begin(): void {
    while (!this.#stop.signal.aborted && this.#running.size < this.#parts.parallel) {
      const at = this.#waiting.findIndex(({ task }) => !this.#running.has(task) && !this.#blocked.has(task));
      const [job] = at < 0 ? [] : this.#waiting.splice(at, 1);
      if (!job) return;
      this.#running.set(job.task, this.#work(job));
    }
  }

  async #work(job: Job): Promise<void> {
    const { run, report } = this.#parts;
    try {
      if (await this.#stands(job)) {
        const isOurs = await forRequest(job.request, () => run(job.task, job.purpose, this.#stop.signal));
        if (!isOurs) this.#left.set(job.task, job.handedAt);
        else if (!this.#stop.signal.aborted) await this.#delete(job);
      }
    } catch (error) {
      await this.#explain(job, error).catch(report);
    }
    this.#running.delete(job.task);
    this.#begin();
  }

  async #explain(job: Job, error: unknown): Promise<void> {
    // Somebody else works on it. If they cannot go on, a later look finds the promise.
    if (isLive(error)) return void this.#blocked.add(job.task);
    this.#parts.report(error);
    if (isOver(error)) return this.#delete(job);
    // The promise stands until the next start: what could not even begin may be mended by then.
    this.#left.set(job.task, job.handedAt);
  }

  async #stands({ task, handedAt }: Job): Promise<boolean> {
    const row = await this.#parts.store.read
      .selectFrom("jobs")
      .select("handed_at")
      .where("task_id", "=", task)
      .executeTakeFirst();
    return Number(row?.handed_at) === handedAt;
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

const codeOf = (error: unknown): string => (error instanceof TerminalFailure ? error.failure.code : "");

/** There is nothing left to do: the task has ended, or was never made. */
const isOver = (error: unknown): boolean => ["task.unknown", "task.settled"].includes(codeOf(error));

const isLive = (error: unknown): boolean => codeOf(error) === "task.live";
