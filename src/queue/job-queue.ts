import type { Job, Taken, Worker } from "./job.ts";

/** How often a job is tried without getting on before it becomes a dead letter. */
export const MOST_ATTEMPTS = 5;

/** How long a job belongs to a worker that says nothing. */
export const LEASE_SECONDS = 15;

/** How many steps of a task are recorded. An attempt in which that has changed got on, and does not count. */
export type StepsOf = (task: string) => Promise<number>;

export interface DeadLetter {
  job: Job;
  /** Of the last attempt. */
  why: string;
  /** When it was given up, in milliseconds. */
  at: number;
}

export interface QueueFigures {
  /** Jobs that could begin now. */
  ready: number;
  /** Jobs that wait for the end of a pause. */
  delayed: number;
  running: number;
  dead: number;
  /** Of the oldest job that waits; null: none does. */
  oldestMs: number | null;
  /** Jobs that went on with another worker, because the one that had them was silent: within a week. */
  takeOvers: number;
}

export interface WorkerView {
  name: string;
  labels: string[];
  /** What it works on. */
  tasks: string[];
  /** When it was heard of last, in milliseconds. */
  seenAt: number;
}

/**
 * Jobs of all people, and whose turn it is.
 *
 * A job that was taken belongs to its worker until it is settled (done, given back, to be tried later), or until the
 * lease lapses because the worker says nothing. Settling with a lapsed lease changes nothing, and answers false. That a
 * task is worked on once at a time is not seen to here: that is the work of the task's claim.
 */
export interface JobQueue extends AsyncDisposable {
  /** What waits already, a task or a todo of it, is not entered again. What is entered while it is worked on waits for its own turn. */
  enqueue(job: Job): Promise<void>;
  /** The job whose turn it is, of those that this worker can do. Null: there is none now. */
  take(worker: Worker): Promise<Taken | null>;
  /** Says that the worker lives and works on these. Answers those that are still its own. */
  renew(worker: Worker, held: readonly Taken[]): Promise<Taken[]>;
  done(taken: Taken): Promise<boolean>;
  /** Unfinished, and nobody's fault: it counts as no attempt, and comes first among its like. */
  giveBack(taken: Taken, afterSeconds?: number): Promise<boolean>;
  /**
   * It failed: after a pause that grows it is tried again, and after the last attempt it is a dead letter. A lapsed lease
   * is the same. Attempts in which its task got on do not count. A todo is not tried again: it is its task's worker that
   * goes on with it.
   */
  retryLater(taken: Taken, why: string): Promise<boolean>;
  /** Takes it out with its todos, whether it waits or is dead. What is under way is not stopped by it. */
  withdraw(task: string): Promise<void>;
  /** Whether the job of this task itself waits, is worked on or is dead. */
  holds(task: string): Promise<boolean>;
  deadLetters(): Promise<DeadLetter[]>;
  /** Enters a dead letter again, with all its attempts. False: there is none of this task. */
  revive(task: string): Promise<boolean>;
  figures(): Promise<QueueFigures>;
  /** Those that were heard of within a lease, and others that have a job. */
  workers(): Promise<WorkerView[]>;
  /** This worker takes nothing more. */
  leave(worker: Worker): Promise<void>;
}
