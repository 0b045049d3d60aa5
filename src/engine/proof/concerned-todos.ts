import type { Todo } from "../../domain/plan/plan.ts";

/** The todos that say they make these files; all of them as soon as one file is nobody's. */
export function concernedTodos(todos: Todo[], paths: string[]): Todo[] {
  const made = new Set(todos.flatMap(({ artifacts }) => artifacts));
  if (!paths.every((path) => made.has(path))) return todos;
  return todos.filter(({ artifacts }) => artifacts.some((path) => paths.includes(path)));
}
