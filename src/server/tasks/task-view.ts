import { z } from "zod";
import { TaskState, taskStandings } from "../../app/task-state.ts";
import { Failure } from "../../domain/failure.ts";
import { TaskId, type TaskSummary } from "../../domain/task/task.ts";
import type { Store } from "../../store/store.ts";

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
  /** Of a fork: the parent's step that was the first to be done anew. */
  forkedAt: z.int().nullable(),
  /** Questions that wait for an answer. */
  questions: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
});
export type TaskView = z.infer<typeof TaskView>;

export async function viewTasks(
  store: Store,
  tasks: TaskSummary[],
  nameOf: (directory: string) => string | undefined,
): Promise<TaskView[]> {
  const standings = await taskStandings(store, tasks);
  return tasks.map((task) => {
    const { id, goal, phase, iterations, costMicros, tokens, failure, parent, forkedAt, createdAt, updatedAt } = task;
    const { state, questions } = standings.get(id) ?? { state: task.status, questions: 0 };
    const directory = nameOf(task.directory) ?? "";
    const told = { phase, iterations, costMicros, tokens, failure, parent, forkedAt, questions, createdAt, updatedAt };
    return { id, goal, directory, state, ...told };
  });
}
