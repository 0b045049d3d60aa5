import { z } from "zod";
import { TaskState } from "../../app/task-state.ts";
import type { BranchTodo } from "../../domain/plan/branch.ts";
import { type PlanState, type TodoProgress, TodoState } from "../../domain/task/plan-state.ts";
import { TaskId } from "../../domain/task/task.ts";
import type { TaskView } from "./task-view.ts";

/** A todo in the words of the service's API. */
export const TodoItem = z.object({
  id: z.string(),
  parent_id: z.string().nullable(),
  title: z.string(),
  agent_role: z.string(),
  priority: z.int(),
  dependencies: z.array(z.string()),
  acceptance_criteria: z.array(z.string()),
  expected_artifacts: z.array(z.string()),
  status: TodoState,
  attempt: z.int(),
  worker: z.string().nullable().describe("The strand that works on it, or worked on it last"),
  started_at: z.int().nullable(),
  ended_at: z.int().nullable(),
  branch_reason: z.string().optional(),
  debug_instructions: z.string().optional(),
  is_temporary: z.boolean(),
  max_debug_attempts: z.int().optional(),
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
    plan === null ? [] : [...plan.todos.map(toItem), ...plan.branches.map((branch) => ofBranch(branch, plan))];
  return { id, workflow_id: id, request: goal, title: plan?.spec.title ?? null, status: state, todos };
}

function toItem({ todo, state, attempt, worker, begunAt, endedAt }: TodoProgress): z.infer<typeof TodoItem> {
  return {
    id: todo.id,
    parent_id: null,
    title: todo.title,
    agent_role: todo.role,
    priority: todo.priority ?? 0,
    dependencies: todo.dependsOn,
    acceptance_criteria: todo.acceptance,
    expected_artifacts: todo.artifacts,
    status: state,
    attempt,
    worker,
    started_at: begunAt,
    ended_at: endedAt,
    is_temporary: false,
  };
}

/** A branch stands and falls with its parent. */
function ofBranch(branch: BranchTodo, plan: PlanState): z.infer<typeof TodoItem> {
  const parent = plan.todos.find(({ todo }) => todo.id === branch.parent);
  return {
    id: branch.id,
    parent_id: branch.parent,
    title: branch.finding,
    agent_role: "debugger",
    priority: parent?.todo.priority ?? 0,
    dependencies: [],
    acceptance_criteria: parent?.todo.acceptance ?? [],
    expected_artifacts: [],
    status: parent === undefined || parent.state === "branched" ? "running" : parent.state,
    attempt: 1,
    worker: null,
    started_at: null,
    ended_at: parent?.endedAt ?? null,
    branch_reason: branch.reason,
    debug_instructions: branch.instructions,
    is_temporary: true,
    max_debug_attempts: branch.maxAttempts,
  };
}
