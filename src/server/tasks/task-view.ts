import { z } from "zod";
import { isOwned } from "../../app/worked-on.ts";
import { Failure } from "../../domain/failure.ts";
import { TaskId, TaskStatus, type TaskSummary } from "../../domain/task/task.ts";
import type { Store } from "../../store/store.ts";

/**
 * Where a task stands. Of a task that has not ended: `queued`, it is promised and waits for its turn; `running`, a live
 * process works on it; `waiting`, for an answer; `paused`; `interrupted`, its process is gone.
 */
export const TaskState = z.enum([...TaskStatus.options, "queued", "waiting", "interrupted"]);
export type TaskState = z.infer<typeof TaskState>;

/** A task as the API tells it: directories by their names, paths not at all. */
export const TaskView = z.object({
  id: TaskId,
  goal: z.string(),
  directory: z.string(),
  state: TaskState,
  phase: z.string(),
  iterations: z.int(),
  costMicros: z.int(),
  tokens: z.int(),
  failure: Failure.nullable(),
  parent: TaskId.nullable(),
  /** Questions that wait for an answer. */
  questions: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type TaskView = z.infer<typeof TaskView>;

interface Surroundings {
  store: Store;
  isQueued(task: string): boolean;
  nameOf(directory: string): string | undefined;
}

/** Two queries, however many tasks there are. */
export async function viewTasks(tasks: TaskSummary[], around: Surroundings): Promise<TaskView[]> {
  const ids = tasks.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { read } = around.store;
  const owners = await read.selectFrom("tasks").select(["id", "owner"]).where("id", "in", ids).execute();
  const open = await read
    .selectFrom("approvals")
    .select((eb) => ["task_id", eb.fn.countAll().as("count")])
    .where("task_id", "in", ids)
    .where("status", "=", "open")
    .groupBy("task_id")
    .execute();
  const owned = new Map(owners.map(({ id, owner }) => [id, isOwned(owner)]));
  const asked = new Map(open.map(({ task_id, count }) => [task_id, Number(count)]));
  return tasks.map((task) => {
    const { id, goal, phase, iterations, costMicros, tokens, failure, parent, createdAt, updatedAt } = task;
    const questions = task.status === "running" || task.status === "paused" ? (asked.get(id) ?? 0) : 0;
    const state = stateOf(task.status, { owned: owned.get(id) === true, queued: around.isQueued(id), questions });
    const directory = around.nameOf(task.directory) ?? "";
    const told = { phase, iterations, costMicros, tokens, failure, parent, questions, createdAt, updatedAt };
    return { id, goal, directory, state, ...told };
  });
}

function stateOf(
  status: TaskStatus,
  { owned, queued, questions }: { owned: boolean; queued: boolean; questions: number },
): TaskState {
  if (status !== "running" && status !== "paused") return status;
  if (owned) return "running";
  if (queued) return "queued";
  if (status === "running") return "interrupted";
  return questions > 0 ? "waiting" : "paused";
}
