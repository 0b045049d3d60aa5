import { z } from "zod";
import { Failure } from "../failure.ts";
import { BranchTodo } from "../plan/branch.ts";
import { Todo } from "../plan/plan.ts";
import { Spec } from "../plan/spec.ts";
import type { Event } from "./event.ts";
import { attemptOf, strandOfTodo } from "./step-path.ts";
import type { TaskStatus } from "./task.ts";

/** Where a todo stands. */
export const TodoState = z.enum(["waiting", "ready", "running", "done", "failed", "branched", "cancelled"]);
export type TodoState = z.infer<typeof TodoState>;

/** How far a todo is. */
export const TodoProgress = z.lazy(() =>
  z.object({
    todo: Todo,
    state: TodoState,
    /** How often it was begun; 0 before its beginning. */
    attempt: z.int(),
    iteration: z.int(),
    /** The strand that works on it, or worked on it last. */
    worker: z.string().nullable(),
    begunAt: z.int().nullable(),
    endedAt: z.int().nullable(),
    failure: Failure.nullable(),
  }),
);
export type TodoProgress = z.infer<typeof TodoProgress>;

/** A temporary todo, and how far it is. */
export const BranchProgress = z.object({
  ...BranchTodo.shape,
  state: z.enum(["running", "done", "failed", "cancelled"]),
  endedAt: z.int().nullable(),
});
export type BranchProgress = z.infer<typeof BranchProgress>;

export const PlanState = z.lazy(() =>
  z.object({
    spec: Spec,
    todos: z.array(TodoProgress),
    /** Temporary todos, in the order in which they were made. */
    branches: z.array(BranchProgress),
  }),
);
export type PlanState = z.infer<typeof PlanState>;

/** The events that `planState` looks at. */
export const PLAN_EVENTS = ["plan-made", "plan-updated", "phase-changed", "todo-branched", "todo-settled"] as const;

type Seen = Omit<TodoProgress, "todo">;

/** The plan as it is now, from what happened; null before there is one. */
export function planState(events: Iterable<Event>, status: TaskStatus): PlanState | null {
  let plan: { spec: Spec; todos: Todo[] } | null = null;
  const branches: BranchTodo[] = [];
  const seen = new Map<string, Seen>();
  for (const event of events) {
    if (event.type === "plan-made" || event.type === "plan-updated") {
      plan = { spec: event.spec, todos: event.plan.todos };
    } else if (event.type === "phase-changed" && event.todo !== undefined) {
      seen.set(event.todo, begun(seen.get(event.todo), event));
    } else if (event.type === "todo-branched") {
      branches.push(event.branch);
      const { parent } = event.branch;
      seen.set(parent, { ...(seen.get(parent) ?? UNSEEN), state: "branched" });
    } else if (event.type === "todo-settled") {
      const state = event.ok ? "done" : "failed";
      const ended = { state, endedAt: event.at, failure: event.failure ?? null } as const;
      seen.set(event.todo, { ...(seen.get(event.todo) ?? UNSEEN), ...ended });
    }
  }
  if (plan === null) return null;
  const { spec, todos } = plan;
  const told = todos.map((todo) => {
    const known = seen.get(todo.id);
    return { todo, ...(known ?? UNSEEN), state: stateOf(todo, seen, status) };
  });
  return { spec, todos: told, branches: branches.map((branch) => progressOf(branch, seen, told)) };
}

/** One that was never settled ended with its parent. */
function progressOf(branch: BranchTodo, seen: Map<string, Seen>, todos: TodoProgress[]): BranchProgress {
  const own = seen.get(branch.id);
  const ended = own ?? todos.find(({ todo }) => todo.id === branch.parent);
  const { state = "running", endedAt = null } = ended ?? {};
  const isOver = state === "done" || state === "failed" || state === "cancelled";
  return { ...branch, state: isOver ? state : "running", endedAt: isOver ? endedAt : null };
}

/** So many todos are done, of so many. */
export function planProgress({ todos }: PlanState): { done: number; of: number } {
  return { done: todos.filter(({ state }) => state === "done").length, of: todos.length };
}

const UNSEEN: Seen = {
  state: "waiting",
  attempt: 0,
  iteration: 0,
  worker: null,
  begunAt: null,
  endedAt: null,
  failure: null,
};

function begun(before: Seen | undefined, event: Event & { type: "phase-changed" }): Seen {
  const worker = strandOfTodo(event.step) ?? before?.worker ?? null;
  return {
    // A todo stays branched until it is settled, whatever phase it is in.
    state: before?.state === "branched" ? "branched" : "running",
    attempt: worker === null ? 1 : attemptOf(worker),
    iteration: event.iteration,
    worker,
    begunAt: before?.begunAt ?? event.at,
    endedAt: null,
    failure: null,
  };
}

function stateOf(todo: Todo, seen: Map<string, Seen>, status: TaskStatus): TodoState {
  const state = seen.get(todo.id)?.state;
  if (state === "done" || state === "failed") return state;
  if (status === "cancelled") return "cancelled";
  if (status === "proven" || status === "checked") return "done";
  if (status === "not-proven" && state !== undefined) return "failed";
  if (state !== undefined) return state;
  return todo.dependsOn.every((id) => seen.get(id)?.state === "done") ? "ready" : "waiting";
}
