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

/** By task. Two queries, however many tasks there are. */
export async function taskStandings(
  store: Store,
  tasks: Pick<TaskSummary, "id" | "status">[],
  isQueued: (task: string) => boolean = () => false,
): Promise<Map<string, TaskStanding>> {
  const open = tasks.filter(({ status }) => status === "running" || status === "paused").map(({ id }) => id);
  const [owned, asked] = open.length === 0 ? [new Set<string>(), new Map<string, number>()] : await look(store, open);
  return new Map(
    tasks.map(({ id, status }) => {
      const questions = asked.get(id) ?? 0;
      return [id, { state: standing(status, { owned: owned.has(id), queued: isQueued(id), questions }), questions }];
    }),
  );
}

/** The same for one task. */
export async function stateOf(store: Store, task: Pick<TaskSummary, "id" | "status">): Promise<TaskState> {
  return (await taskStandings(store, [task])).get(task.id)?.state ?? task.status;
}

async function look({ read }: Store, ids: string[]): Promise<[Set<string>, Map<string, number>]> {
  const owners = await read.selectFrom("tasks").select(["id", "owner"]).where("id", "in", ids).execute();
  const questions = await read
    .selectFrom("approvals")
    .select((eb) => ["task_id", eb.fn.countAll().as("count")])
    .where("task_id", "in", ids)
    .where("status", "=", "open")
    .groupBy("task_id")
    .execute();
  return [
    new Set(owners.filter(({ owner }) => isOwned(owner)).map(({ id }) => id)),
    new Map(questions.map(({ task_id, count }) => [task_id, Number(count)])),
  ];
}

function standing(
  status: TaskStatus,
  { owned, queued, questions }: { owned: boolean; queued: boolean; questions: number },
): TaskState {
  if (status !== "running" && status !== "paused") return status;
  if (owned) return "running";
  if (queued) return "queued";
  if (status === "running") return "interrupted";
  return questions > 0 ? "waiting" : "paused";
}
