import { currentPerson, currentRequest } from "../../bus/correlation.ts";
import { fail } from "../../domain/failure.ts";
import type { Job, Purpose } from "../../queue/job.ts";
import type { JobQueue } from "../../queue/job-queue.ts";
import type { JobWorker } from "../../queue/job-worker.ts";
import type { Store } from "../../store/store.ts";
import { type Keepers, Promises } from "./promises.ts";
import type { JobWishes, Queue } from "./queue.ts";

/** A queue that could not be reached is looked at again so soon. */
const SOON_MS = 1000;

export interface PromisedQueueParts {
  store: Store;
  jobs: JobQueue;
  keepers: Keepers;
  /** What a worker must have for a task, beside what was asked for; absent: nothing. */
  needsOf?(task: string): Promise<string[]>;
  /** What works on the jobs in this process; absent: others do. */
  worker?: JobWorker;
  report(error: unknown): void;
  /** How often it looks for promises that nobody has entered. */
  lookMs: number;
}

/**
 * Promises as rows, and who keeps them: a queue of this process, beside those of others on the same database, or the
 * queue of the team. A promise that is in no queue, because its process was killed, is entered by the next look.
 */
export class PromisedQueue implements Queue {
  readonly #parts: PromisedQueueParts;
  readonly #promises: Promises;
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(parts: PromisedQueueParts) {
    this.#parts = parts;
    this.#promises = new Promises(parts.store);
  }

  async hand(
    task: string,
    wanted: Purpose | "same",
    prepare?: () => Promise<void>,
    wishes: JobWishes = {},
  ): Promise<void> {
    const { keepers } = this.#parts;
    const { priority = 0, labels = [] } = wishes;
    if (keepers === "servers" && labels.length > 0) {
      throw fail("invalid-input", "queue.labels", "labels: workers have them, and this server has none: serve --queue");
    }
    const purpose = wanted === "same" ? await this.#promises.lastPurpose(task) : wanted;
    const job = { task, purpose, request: currentRequest(), person: currentPerson() ?? "", priority, labels };
    const handedAt = await this.#promises.make(job, keepers);
    try {
      await prepare?.();
    } catch (error) {
      await this.#promises.remove(task, handedAt);
      throw error;
    }
    await this.#promises.keepPurpose(task, purpose);
    try {
      for (const made of await this.#promises.standing(keepers, task)) await this.#enter(made);
    } catch (error) {
      // The promise stands. A queue that is away for a moment is entered when it is back.
      this.#parts.report(error);
      this.#lookSoon();
    }
  }

  async isPromised(task: string): Promise<boolean> {
    return (await this.#promises.find(task)) !== null;
  }

  async withdraw(task: string): Promise<void> {
    await this.#promises.remove(task);
    await this.#parts.jobs.withdraw(task);
  }

  async recover(): Promise<void> {
    const { worker, lookMs, report } = this.#parts;
    await this.#promises.clear();
    await this.#look();
    worker?.start();
    this.#timer = setInterval(() => void this.#look().catch(report), lookMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#parts.worker?.stop();
  }

  #lookSoon(): void {
    clearTimeout(this.#soon);
    const look = () => this.#look().catch(() => this.#lookSoon());
    this.#soon = setTimeout(() => void look(), SOON_MS);
    this.#soon.unref();
  }

  async #look(): Promise<void> {
    const { keepers, jobs } = this.#parts;
    for (const job of await this.#promises.standing(keepers)) if (!(await jobs.holds(job.task))) await this.#enter(job);
  }

  async #enter(job: Job): Promise<void> {
    const needs = (await this.#parts.needsOf?.(job.task)) ?? [];
    await this.#parts.jobs.enqueue({ ...job, labels: [...new Set([...job.labels, ...needs])] });
    this.#parts.worker?.look();
  }
}
