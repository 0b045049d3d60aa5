import { z } from "zod";
import { TerminalFailure } from "../../domain/failure.ts";
import { Job, Purpose, type Taken } from "../../queue/job.ts";
import type { RunEnding } from "../../queue/job-worker.ts";
import type { Store } from "../../store/store.ts";

/**
 * Who keeps a promise: whichever server gets to it, or the workers of the team's queue. What these have done, a server
 * that has the directory delivers.
 */
export type Keepers = "servers" | "workers" | "deliverers";

export type PromisedJob = Omit<Job, "project">;

/** How long a promise may stand without its task: whoever made it is gone by then. */
const LONGEST_PREPARING_MS = 3_600_000;

/**
 * Promises to work on tasks, as rows.
 *
 * Invariants:
 * 1. A row is written before its task is. It is deleted when its run has ended by itself, or when it is withdrawn.
 * 2. A promise is named by its task and its time: another one for the same task has a later time, and stays.
 */
export class Promises {
  readonly #store: Store;
  #last = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Answers the time that names it. */
  async make(job: PromisedJob, keepers: Keepers): Promise<number> {
    this.#last = Math.max(Date.now(), this.#last + 1);
    const { task, purpose, request, person, priority, labels } = job;
    const row = { purpose, request, person, priority, labels: JSON.stringify(labels), keepers, handed_at: this.#last };
    await this.#store.write(async (tx) => {
      await tx
        .insertInto("jobs")
        .values({ task_id: task, ...row })
        .onConflict((conflict) => conflict.column("task_id").doUpdateSet(row))
        .execute();
    });
    return row.handed_at;
  }

  /** How far a task was promised to be worked on last; the promise itself ends when the task waits for an answer. */
  async lastPurpose(task: string): Promise<Purpose> {
    const row = await this.#store.read.selectFrom("tasks").select("purpose").where("id", "=", task).executeTakeFirst();
    return Purpose.parse(row?.purpose ?? "work");
  }

  async keepPurpose(task: string, purpose: Purpose): Promise<void> {
    await this.#store.write((tx) => tx.updateTable("tasks").set({ purpose }).where("id", "=", task).execute());
  }

  /** Of these keepers, or of any. */
  async find(task: string, keepers?: Keepers): Promise<number | null> {
    const rows = this.#store.read.selectFrom("jobs").select("handed_at").where("task_id", "=", task);
    const row = await (keepers === undefined ? rows : rows.where("keepers", "=", keepers)).executeTakeFirst();
    return row ? Number(row.handed_at) : null;
  }

  /** Only this promise, or all of a task. */
  async remove(task: string, handedAt?: number): Promise<void> {
    await this.#store.write(async (tx) => {
      const rows = tx.deleteFrom("jobs").where("task_id", "=", task);
      await (handedAt === undefined ? rows : rows.where("handed_at", "=", handedAt)).execute();
    });
  }

  /** The jobs that were promised, oldest first; of one task, or of all. One whose task is not made yet is none. */
  async standing(keepers: Keepers, task?: string): Promise<Job[]> {
    const query = this.#store.read
      .selectFrom("jobs")
      .innerJoin("tasks", "tasks.id", "jobs.task_id")
      .select(["task_id", "jobs.purpose", "jobs.person", "priority", "labels", "request", "directory"])
      .where("keepers", "=", keepers)
      .orderBy("handed_at");
    const rows = await (task === undefined ? query : query.where("task_id", "=", task)).execute();
    return rows.map(({ task_id: task, directory: project, labels, priority, ...row }) =>
      Job.parse({ ...row, task, project, priority: Number(priority), labels: JSON.parse(labels) }),
    );
  }

  /** Removes promises of tasks that were never made. */
  async clear(): Promise<void> {
    await this.#store.write(async (tx) => {
      await tx
        .deleteFrom("jobs")
        .where("handed_at", "<", Date.now() - LONGEST_PREPARING_MS)
        .where("task_id", "not in", (eb) => eb.selectFrom("tasks").select("id"))
        .execute();
    });
  }

  /**
   * Runs a job while the promise of its keepers stands: another process may have kept it, or taken it back. Who gets a job
   * once more whose result is on its way to the directory may not take away what others promised.
   */
  async keep(
    keepers: Keepers,
    { task }: Taken,
    run: () => Promise<RunEnding>,
    report: (error: unknown) => void,
  ): Promise<RunEnding> {
    const handedAt = await this.find(task, keepers);
    if (handedAt === null) return "ended";
    const ending = await run().catch((error: unknown): RunEnding => {
      const code = error instanceof TerminalFailure ? error.failure.code : "";
      if (code === "task.live") return "busy";
      if (!OVER.includes(code)) throw error;
      report(error);
      return "ended";
    });
    if (ending === "ended" && !(await this.#leaveDelivery(task, handedAt))) await this.remove(task, handedAt);
    return ending;
  }

  /** What is done, and not in its directory yet, is promised to whoever has the directory. False: it is not so. */
  async #leaveDelivery(task: string, handedAt: number): Promise<boolean> {
    const row = {
      keepers: "deliverers" satisfies Keepers,
      labels: "[]",
      handed_at: Math.max(Date.now(), handedAt + 1),
    };
    return this.#store.write(async (tx) => {
      const settled = await tx
        .selectFrom("events")
        .select("body")
        .where("task_id", "=", task)
        .where("type", "=", "task-settled")
        .orderBy("number", "desc")
        .executeTakeFirst();
      if (!LeftToServer.safeParse(settled && JSON.parse(settled.body)).success) return false;
      const promise = tx.updateTable("jobs").set(row).where("task_id", "=", task).where("handed_at", "=", handedAt);
      const { numUpdatedRows } = await promise.where("keepers", "=", "workers").executeTakeFirst();
      return Number(numUpdatedRows) > 0;
    });
  }
}

/** There is nothing left to do: the task has ended, or is gone. */
const OVER = ["task.unknown", "task.settled"];

const LeftToServer = z.object({
  outcome: z.object({ delivery: z.object({ reason: z.literal("left to the server") }) }),
});
