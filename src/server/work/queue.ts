import type { Job, Purpose } from "../../queue/job.ts";

/** Does what was promised. A promise outlives the process: after a crash it is kept by another one, or the next. */
export interface Queue {
  /**
   * Promises to work on a task. Durable when it returns. `prepare` makes the task, after the promise is written: so no
   * task is left that nobody works on. If it throws, the promise is taken back. `same`: as far as it was promised last.
   */
  hand(task: string, purpose: Purpose | "same", prepare?: () => Promise<void>, wishes?: JobWishes): Promise<void>;
  /** Whether somebody has promised to work on this task, and has not ended. */
  isPromised(task: string): Promise<boolean>;
  /** Takes a promise back, whoever made it. What is under way is not stopped by it. */
  withdraw(task: string): Promise<void>;
  /** Takes up what an earlier process left, and from then on what another one cannot keep. */
  recover(): Promise<void>;
  /** Pauses what is under way at its next step. The promises stand. */
  stop(): Promise<void>;
}

/** What may be said of a job beside its task. */
export type JobWishes = Partial<Pick<Job, "priority" | "labels">>;
