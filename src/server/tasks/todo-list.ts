import { z } from "zod";
import { TaskState } from "../../app/task-state.ts";
import { writeBranch, writeTodo } from "../../domain/plan/write-plan.ts";
import { WrittenTodo } from "../../domain/plan/written-todo.ts";
import { type BranchProgress, type PlanState, type TodoProgress, TodoState } from "../../domain/task/plan-state.ts";
import { TaskId } from "../../domain/task/task.ts";
import type { TaskView } from "./task-view.ts";

/** A todo in the words of the service's API: those of a written plan, and how far it is. */
export const TodoItem = z.object({
  ...WrittenTodo.unwrap().shape,
  // The engine's own branches keep to no limit that a person's words have.
  id: z.string(),
  max_debug_attempts: z.int().optional(),
  priority: z.int(),
  status: TodoState,
  attempt: z.int(),
  worker: z.string().nullable().describe("The strand that works on it, or worked on it last"),
  started_at: z.int().nullable(),
  ended_at: z.int().nullable(),
});

/** A plan in the words of the service's API. A todo list and the workflow that executes it have one id: the task's. */
export const TodoList = z.object({
  id: TaskId,
  workflow_id: TaskId,
  request: z.string(),
  title: z.string().nullable(),
  status: TaskState,
  todos: z.array(TodoItem),
});
export type TodoList = z.infer<typeof TodoList>;

/** Before there is a plan the list is empty. */
export function toTodoList({ id, goal, state }: TaskView, plan: PlanState | null): TodoList {
  const todos =
    plan === null
      ? []
      : [...plan.todos.map(toItem), ...plan.branches.map((branch) => ofBranch(branch, plan))].map((item) =>
          TodoItem.parse(item),
        );
  return { id, workflow_id: id, request: goal, title: plan?.spec.title ?? null, status: state, todos };
}

function toItem({ todo, state, attempt, worker, begunAt, endedAt }: TodoProgress): z.input<typeof TodoItem> {
  return {
    ...writeTodo(todo),
    priority: todo.priority ?? 0,
    status: state,
    attempt,
    worker,
    started_at: begunAt,
    ended_at: endedAt,
  };
}

/** What must hold at the end of a branch is what must hold of its parent. */
function ofBranch(branch: BranchProgress, plan: PlanState): z.input<typeof TodoItem> {
  const parent = plan.todos.find(({ todo }) => todo.id === branch.parent);
  return {
    ...writeBranch(branch),
    priority: parent?.todo.priority ?? 0,
    acceptance_criteria: parent?.todo.acceptance ?? [],
    status: branch.state,
    attempt: 1,
    worker: null,
    started_at: null,
    ended_at: branch.endedAt,
  };
}
