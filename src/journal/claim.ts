import { hostname } from "node:os";
import { z } from "zod";
import { fail } from "../domain/failure.ts";
import type { TaskStatus } from "../domain/task/task.ts";
import type { Store } from "../store/store.ts";
import { appendEvent } from "./append-event.ts";
import { processStart } from "./process-start.ts";

/** The process that works on a task. The system may reuse a pid, so the start time belongs to it. */
export const Owner = z.object({ host: z.string(), pid: z.int(), startTime: z.string() });
export type Owner = z.infer<typeof Owner>;

export function thisProcess(): Owner {
  return { host: hostname(), pid: process.pid, startTime: processStart(process.pid) ?? "" };
}

/**
 * A process on another host cannot be checked from here, so it counts as alive. `resume --take-over` overrules that.
 */
export function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  const started = processStart(owner.pid);
  return started !== undefined && started === owner.startTime;
}

export interface TaskClaim {
  task: string;
  epoch: number;
  frozenHash: string;
}

export interface ClaimOptions {
  /** `delivery` keeps the task's status: apply and undo do not change it. */
  purpose: "work" | "delivery";
  /** Take the task even from an owner that seems to be alive. */
  takeOver?: boolean;
}

const RESUMABLE: TaskStatus[] = ["running", "paused"];

/** Takes a task for this process. Raises its epoch, so that whoever had it before can write nothing more. */
export async function claimTask(store: Store, task: string, owner: Owner, options: ClaimOptions): Promise<TaskClaim> {
  return store.write(async (tx) => {
    const row = await tx
      .selectFrom("tasks")
      .select(["owner", "epoch", "frozen_hash", "status"])
      .where("id", "=", task)
      .executeTakeFirst();
    if (!row) throw fail("invalid-input", "task.unknown", `there is no task ${task}; \`miracle history\` lists them`);
    if (options.purpose === "work" && !RESUMABLE.some((status) => status === row.status)) {
      throw fail(
        "invalid-input",
        "task.settled",
        `task ${task} is over (${row.status}); \`miracle continue\` takes its result further`,
      );
    }
    const current = row.owner === null ? undefined : Owner.parse(JSON.parse(row.owner));
    const foreign = current !== undefined && !(current.pid === owner.pid && current.host === owner.host);
    if (foreign && !options.takeOver && isAlive(current)) {
      const elsewhere =
        current.host === owner.host ? "" : ", `miracle resume --take-over` takes it if that host is gone";
      throw fail(
        "invalid-input",
        "task.live",
        `task ${task} is being worked on by process ${current.pid} on ${current.host}; \`miracle watch ${task}\` follows it${elsewhere}`,
      );
    }
    const epoch = row.epoch + 1;
    await tx
      .updateTable("tasks")
      .set({
        owner: JSON.stringify(owner),
        epoch,
        wish: null,
        ...(options.purpose === "work" && { status: "running" }),
      })
      .where("id", "=", task)
      .execute();
    return { task, epoch, frozenHash: row.frozen_hash };
  });
}

/** Gives a task back as it is. */
export async function releaseTask(store: Store, claim: TaskClaim): Promise<void> {
  await store.write(async (tx) => {
    await tx
      .updateTable("tasks")
      .set({ owner: null })
      .where("id", "=", claim.task)
      .where("epoch", "=", claim.epoch)
      .execute();
  });
}

/** Releases a task before its end, with the reason. This is no step, so it does not influence a resume. */
export async function pauseTask(
  store: Store,
  claim: TaskClaim,
  end: { status: "paused" | "cancelled"; reason: string; at: number; ranMs?: number },
): Promise<void> {
  await store.write(async (tx) => {
    const row = await tx
      .updateTable("tasks")
      .set({ owner: null, status: end.status })
      .where("id", "=", claim.task)
      .where("epoch", "=", claim.epoch)
      .returning("id")
      .executeTakeFirst();
    const { reason, at, ranMs } = end;
    const paused = { type: "task-paused" as const, reason, ...(ranMs !== undefined && { ranMs }) };
    if (row) await appendEvent(tx, claim.task, paused, { at });
  });
}
