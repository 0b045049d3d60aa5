/** How far a task is to be worked on: only as far as to its plan, or to its end. */
export type Purpose = "plan" | "work";

/** Does what was promised. A promise outlives the process: after a crash it is kept by the next one. */
export interface Queue {
  /**
   * Promises to work on a task. Durable when it returns. `prepare` makes the task, after the promise is written: so no
   * task is left that nobody works on. If it throws, the promise is taken back.
   */
  hand(task: string, purpose: Purpose, prepare?: () => Promise<void>): Promise<void>;
  /** What is promised for this task now. */
  promised(task: string): Purpose | undefined;
  /** Takes a promise back, also for the next process. What is under way is not stopped by it. */
  withdraw(task: string): Promise<void>;
  /** Takes up what an earlier process left. */
  recover(): Promise<void>;
  /** Pauses what is under way at its next step. The promises stand. */
  stop(): Promise<void>;
}
