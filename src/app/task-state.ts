import { z } from "zod";
import { TaskStatus, type TaskSummary } from "../domain/task/task.ts";
import type { Store } from "../store/store.ts";
import { isOwned } from "./worked-on.ts";

/**
 * Where a task stands. Of a task that has not ended: `queued`, it is promised and waits for its turn; `running`, a live
 * process works on it; `waiting`, for an answer; `paused`; `interrupted`, its process is gone.
 */
export const TaskState = z.enum([...TaskStatus.options, "queued", "waiting", "interrupted"]);
export type TaskState = z.infer<typeof TaskState>;

export interface TaskStanding {
  state: TaskState;
  /** Questions that wait for an answer. */
  questions: number;
}

/** By task. Three queries, however many tasks there are. */
export async function taskStandings(
  store: Store,
  tasks: Pick<TaskSummary, "id" | "status">[],
): Promise<Map<string, TaskStanding>> {
  const open = tasks.filter(({ status }) => status === "running" || status === "paused").map(({ id }) => id);
  const signs = open.length === 0 ? new Map<string, Signs>() : await look(store, open);
  return new Map(
    tasks.map(({ id, status }) => {
      const seen = signs.get(id) ?? { owned: false, queued: false, questions: 0 };
      return [id, { state: standing(status, seen), questions: seen.questions }];
    }),
  );
}

interface Signs {
  owned: boolean;
  queued: boolean;
  questions: number;
}

/** The same for one task. */
export async function stateOf(store: Store, task: Pick<TaskSummary, "id" | "status">): Promise<TaskState> {
  return (await taskStandings(store, [task])).get(task.id)?.state ?? task.status;
}

async function look({ read }: Store, ids: string[]): Promise<Map<string, Signs>> {
  const owners = await read.selectFrom("tasks").select(["id", "owner"]).where("id", "in", ids).execute();
  const jobs = await read.selectFrom("jobs").select("task_id").where("task_id", "in", ids).execute();
  const open = await read
    .selectFrom("approvals")
    .select((eb) => ["task_id", eb.fn.countAll().as("count")])
    .where("task_id", "in", ids)
    .where("status", "=", "open")
    .groupBy("task_id")
    .execute();
  const queued = new Set(jobs.map(({ task_id }) => task_id));
  const asked = new Map(open.map(({ task_id, count }) => [task_id, Number(count)]));
  return new Map(
    owners.map(({ id, owner }) => [
      id,
      { owned: isOwned(owner), queued: queued.has(id), questions: asked.get(id) ?? 0 },
    ]),
  );
}

function standing(status: TaskStatus, { owned, queued, questions }: Signs): TaskState {
  if (status !== "running" && status !== "paused") return status;
  if (owned) return "running";
  if (queued) return "queued";
  if (status === "running") return "interrupted";
  return questions > 0 ? "waiting" : "paused";
}
