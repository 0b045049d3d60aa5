import { z } from "zod";
import type { BranchTodo } from "../../domain/plan/branch.ts";
import type { Plan, Todo } from "../../domain/plan/plan.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskStatus } from "../../domain/task/task.ts";

/** Where a todo stands. */
export const TodoState = z.enum(["waiting", "ready", "running", "done", "failed", "branched", "cancelled"]);
export type TodoState = z.infer<typeof TodoState>;

export interface TodoStatus {
  todo: Todo;
  state: TodoState;
}

export interface PlanState {
  title: string;
  todos: TodoStatus[];
  branches: BranchTodo[];
}

/** The plan as it is now, from what happened; null before there is one. */
export function planState(events: Iterable<Event>, status: TaskStatus): PlanState | null {
  let plan: { title: string; graph: Plan } | null = null;
  const branches: BranchTodo[] = [];
  const seen = new Map<string, TodoState>();
  for (const event of events) {
    if (event.type === "plan-made" || event.type === "plan-updated") {
      plan = { title: event.spec.title, graph: event.plan };
    } else if (event.type === "phase-changed" && event.todo !== undefined) {
      // A todo stays branched until it is settled, whatever phase it is in.
      if (seen.get(event.todo) !== "branched") seen.set(event.todo, "running");
    } else if (event.type === "todo-branched") {
      branches.push(event.branch);
      seen.set(event.branch.parent, "branched");
    } else if (event.type === "todo-settled") seen.set(event.todo, event.ok ? "done" : "failed");
  }
  if (plan === null) return null;
  const todos = plan.graph.todos.map((todo) => ({ todo, state: stateOf(todo, seen, status) }));
  return { title: plan.title, todos, branches };
}

function stateOf(todo: Todo, seen: Map<string, TodoState>, status: TaskStatus): TodoState {
  const state = seen.get(todo.id);
  if (state === "done" || state === "failed") return state;
  if (status === "cancelled") return "cancelled";
  if (status === "proven" || status === "checked") return "done";
  if (status === "not-proven" && state !== undefined) return "failed";
  if (state !== undefined) return state;
  return todo.dependsOn.every((id) => seen.get(id) === "done") ? "ready" : "waiting";
}
