import type { App } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { findTask, lastTask } from "../../store/tasks.ts";

/** The task a person means: an id or its beginning, or `--last`, the newest one started in this directory. */
export async function chooseTask(
  app: App,
  id: string | undefined,
  { last }: { last?: boolean },
  directory: string,
): Promise<TaskSummary> {
  if (id !== undefined && last) throw fail("invalid-input", "cli.conflict", "give an id or --last, not both");
  if (id !== undefined) return findTask(app.store, id);
  if (last) return lastTask(app.store, directory).catch(() => lastTask(app.store));
  throw fail("invalid-input", "cli.no-task", "which task? give its id or --last; `miracle history` lists them");
}
