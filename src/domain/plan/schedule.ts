import { byPriority, type Plan, type Todo } from "./plan.ts";

/** How far the todos of a plan are; what is not named has not been begun. */
type Progress = ReadonlyMap<string, "running" | "done" | "failed">;

/**
 * The todos to begin now, at most `limit` running at once: those whose dependencies are done, by priority, then in plan
 * order. After a failure nothing more is begun; what runs comes to its end.
 */
export function startable(plan: Plan, progress: Progress, limit: number): Todo[] {
  const states = [...progress.values()];
  if (states.includes("failed")) return [];
  const room = Math.max(0, limit - states.filter((state) => state === "running").length);
  const ready = plan.todos.filter(
    (todo) => !progress.has(todo.id) && todo.dependsOn.every((id) => progress.get(id) === "done"),
  );
  return byPriority(ready).slice(0, room);
}

/** How many todos of the plan are ever ready at once, when none fails and each takes as long as the others. */
export function widthOf(plan: Plan): number {
  const done = new Map<string, "done">();
  let widest = 0;
  for (;;) {
    const ready = startable(plan, done, plan.todos.length);
    if (ready.length === 0) return widest;
    widest = Math.max(widest, ready.length);
    for (const todo of ready) done.set(todo.id, "done");
  }
}
