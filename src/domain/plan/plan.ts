import { z } from "zod";
import { fail } from "../failure.ts";

/** Becomes a path and a git ref; `result` is the name of the merged branch. */
export const TodoId = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/)
  .refine((id) => id !== "result", "`result` is reserved");

/** What must hold before a todo is begun, or when it is done: a path of its tree, or a command that succeeds there. */
export const Condition = z.union([
  z.strictObject({ exists: z.string().min(1) }),
  z.strictObject({ absent: z.string().min(1) }),
  z.strictObject({ command: z.string().min(1) }),
]);
export type Condition = z.infer<typeof Condition>;

/** A change that a todo is expected to make; `path` may be a glob. */
export const Effect = z.strictObject({ change: z.enum(["create", "edit", "delete"]), path: z.string().min(1) });
export type Effect = z.infer<typeof Effect>;

/** A figure that a command prints, and what it may be: held like a command that must succeed. */
export const Metric = z
  .strictObject({
    name: z.string().min(1),
    /** Prints the figure and nothing else. */
    command: z.string().min(1),
    atMost: z.number().optional(),
    atLeast: z.number().optional(),
  })
  .refine(
    ({ atMost, atLeast }) => atMost !== undefined || atLeast !== undefined,
    "say what it may be at most or at least",
  );
export type Metric = z.infer<typeof Metric>;

export const Todo = z.object({
  id: TodoId,
  title: z.string().min(1),
  /** More than the title says, for whoever works on it. */
  description: z.string().min(1).optional(),
  /** Who begins it: the coder, or the architect, who first writes down what it promises the others. */
  role: z.enum(["coder", "architect"]).default("coder"),
  dependsOn: z.array(z.string()).default([]),
  /** Ids of the requirements this todo fulfils. */
  requirements: z.array(z.string()).default([]),
  /** Commands that must succeed when this todo is done. */
  acceptance: z.array(z.string()).default([]),
  /** Paths that are expected to exist or change. */
  artifacts: z.array(z.string()).default([]),
  /** Of todos that could begin, the one with the higher number goes first. */
  priority: z.int().optional(),
  /** Globs it may write; nothing else of its work is kept. */
  files: z.array(z.string().min(1)).min(1).optional(),
  preconditions: z.array(Condition).optional(),
  postconditions: z.array(Condition).optional(),
  metrics: z.array(Metric).optional(),
  /** Compared with what it changed. */
  effects: z.array(Effect).optional(),
  /** Time at work; waiting for an answer or a resume does not count. */
  timeoutMs: z.int().positive().optional(),
  /** How often it is begun anew after a failure that may pass. */
  retries: z.int().nonnegative().max(5).optional(),
  /** How many iterations follow on the debugger's finding, instead of the number that the settings say. */
  debugAttempts: z.int().nonnegative().max(20).optional(),
});
export type Todo = z.infer<typeof Todo>;

export const Plan = z.lazy(() => z.object({ todos: z.array(Todo).min(1) }));
export type Plan = z.infer<typeof Plan>;

/** Size of a goal as the planner sees it: a small one is a single todo with one reproduction test. */
export const GoalSize = z.enum(["small", "large"]);
export type GoalSize = z.infer<typeof GoalSize>;

/**
 * The todos in the order in which they are worked on one by one: each behind its dependencies, of those that could begin
 * the one with the higher priority first, otherwise in plan order. What is done stands first. Throws on a broken graph.
 */
export function orderTodos(plan: Plan, finished: ReadonlySet<string> = new Set()): Todo[] {
  const byId = new Map(plan.todos.map((todo) => [todo.id, todo]));
  if (byId.size < plan.todos.length)
    throw fail("invalid-input", "plan.duplicate", "two todos of the plan have the same id");
  for (const todo of plan.todos) {
    const dangling = todo.dependsOn.find((id) => !byId.has(id));
    if (dangling !== undefined) {
      throw fail(
        "invalid-input",
        "plan.dangling",
        `todo ${todo.id} depends on ${dangling}, which the plan does not have`,
      );
    }
  }
  const ordered: Todo[] = [];
  const done = new Set<string>();
  while (ordered.length < plan.todos.length) {
    const ready = plan.todos.filter((todo) => !done.has(todo.id) && todo.dependsOn.every((id) => done.has(id)));
    const next = ready.find(({ id }) => finished.has(id)) ?? byPriority(ready)[0];
    if (!next) {
      const stuck = plan.todos.filter((todo) => !done.has(todo.id)).map((todo) => todo.id);
      throw fail("invalid-input", "plan.cycle", `todos depend on each other in a circle: ${stuck.join(", ")}`);
    }
    done.add(next.id);
    ordered.push(next);
  }
  return ordered;
}

/** Those with the higher number first, otherwise as they were. */
export const byPriority = (todos: Todo[]): Todo[] => todos.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
