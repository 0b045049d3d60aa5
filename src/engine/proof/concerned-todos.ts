import type { Todo } from "../../domain/plan/plan.ts";

/** The todos that declare these files as artifacts. If no todo declares one of the files, all todos are concerned. */
export function concernedTodos(todos: Todo[], paths: string[]): Todo[] {
  const made = new Set(todos.flatMap(({ artifacts }) => artifacts));
  if (!paths.every((path) => made.has(path))) return todos;
  return todos.filter(({ artifacts }) => artifacts.some((path) => paths.includes(path)));
}
