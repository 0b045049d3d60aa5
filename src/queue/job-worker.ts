import { forRequest } from "../bus/correlation.ts";
import type { Taken, Worker } from "./job.ts";
import { type JobQueue, LEASE_SECONDS } from "./job-queue.ts";

/** How a run ended: by itself; not begun, because somebody else works on the task; or because it was stopped. */
export type RunEnding = "ended" | "busy" | "stopped";

export interface JobWorkerParts {
  queue: JobQueue;
  worker: Worker;
  /** Jobs at once. */
  concurrency: number;
  run(job: Taken, signal: AbortSignal): Promise<RunEnding>;
  /** The reason that the signal of a run gets. */
  stopping: () => Error;
  report(error: unknown): void;
  /** How often it looks for jobs when it has been idle, and for a task that was busy. */
  lookMs: number;
  /** How often it says that it lives. */
  beatMs?: number;
}

const BEAT_MS = (LEASE_SECONDS * 1000) / 3;

interface Held {
  taken: Taken;
  stop: AbortController;
  ended: Promise<void>;
}

/**
 * Takes jobs and works on them.
 *
 * Invariants:
 * 1. A task is in one run of this process at a time: its claim keeps out other processes only. Several of its todos may
 * be, while the task itself is another worker's.
 * 2. A job whose lease was lost is stopped, and settled by nobody here.
 * 3. What was stopped is given back. What threw is tried again later.
 */
export class JobWorker {
  readonly #parts: JobWorkerParts;
  readonly #held = new Map<string, Held>();
  #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;
  #lastError = "";

  constructor(parts: JobWorkerParts) {
    this.#parts = parts;
  }

  start(): void {
    const every = (ms: number, work: () => void) => {
      const timer = setInterval(work, ms);
      this.#timers.push(timer);
    };
    every(this.#parts.lookMs, () => this.look());
    every(this.#parts.beatMs ?? BEAT_MS, () => void this.#beat().catch((error) => this.#complain(error)));
    void this.#beat().catch((error) => this.#complain(error));
    this.look();
  }

  /** Looks for jobs now. */
  look(): void {
    this.#isWanted = true;
    this.#looking ??= this.#fill().then(() => {
      this.#looking = undefined;
      // Somebody asked for it after the last look had ended.
      if (this.#isWanted) this.look();
    });
  }

  /** Stops what is under way at its next step, and gives it back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const { stop } of this.#held.values()) stop.abort(this.#parts.stopping());
    // What is being taken just now is given back as well.
    await this.#looking;
    await Promise.all([...this.#held.values()].map(({ ended }) => ended));
    await this.#parts.queue.leave(this.#parts.worker).catch((error) => this.#complain(error));
  }

  async #fill(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        while (this.#held.size < this.#parts.concurrency && !this.#isStopped) {
          const taken = await this.#parts.queue.take(this.#parts.worker);
          if (!taken) break;
          this.#begin(taken);
        }
        this.#lastError = "";
      }
    } catch (error) {
      this.#complain(error);
    }
  }

  #begin(taken: Taken): void {
    const stop = new AbortController();
    // It was taken while this worker was being stopped.
    if (this.#isStopped) stop.abort(this.#parts.stopping());
    const isHere = [...this.#held.values()].some((held) => isSameRun(held.taken, taken));
    const run = async (): Promise<RunEnding> => {
      if (isHere) return "busy";
      if (stop.signal.aborted) return "stopped";
      return forRequest(taken.request, () => this.#parts.run(taken, stop.signal));
    };
    const ended = run()
      .then((ending) => this.#settle(taken, ending))
      .catch((error) => this.#fail(taken, error))
      .then(() => {
        this.#held.delete(taken.lease);
        if (!this.#isStopped) this.look();
      });
    this.#held.set(taken.lease, { taken, stop, ended });
  }

  async #settle(taken: Taken, ending: RunEnding): Promise<void> {
    const { queue, lookMs } = this.#parts;
    if (ending === "ended") await queue.done(taken);
    if (ending === "stopped") await queue.giveBack(taken);
    if (ending === "busy") await queue.giveBack(taken, lookMs / 1000);
  }

  async #fail(taken: Taken, error: unknown): Promise<void> {
    const { queue, report } = this.#parts;
    report(error);
    const why = error instanceof Error ? error.message : String(error);
    await queue.retryLater(taken, why).catch(report);
  }

  async #beat(): Promise<void> {
    const held = [...this.#held.values()];
    const own = await this.#parts.queue.renew(
      this.#parts.worker,
      held.map(({ taken }) => taken),
    );
    const kept = new Set(own.map(({ lease }) => lease));
    for (const { taken, stop } of held) if (!kept.has(taken.lease)) stop.abort(this.#parts.stopping());
  }

  /** A database that is away is reported once, not at every look for it. */
  #complain(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== this.#lastError) this.#parts.report(error);
    this.#lastError = message;
  }
}

/** Whether two jobs may not run in one process: the same one, or a task and a todo that it lends. */
const isSameRun = (one: Taken, other: Taken): boolean =>
  one.task === other.task && (one.todo === undefined || other.todo === undefined || one.todo === other.todo);
