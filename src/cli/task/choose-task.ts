import type { App } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { findTask, lastTask, listTasks } from "../../store/tasks.ts";

/** So many tasks are looked at for one that fits. */
const LOOKED_AT = 20;

async function newestThat(
  app: App,
  directory: string,
  fits: (task: TaskSummary) => boolean | Promise<boolean>,
): Promise<TaskSummary | undefined> {
  for (const task of (await listTasks(app.store, { directories: [directory], limit: LOOKED_AT })).tasks) {
    if (await fits(task)) return task;
  }
  return undefined;
}

/**
 * The task a person means: an id or its beginning; without one the newest of this directory, with `--last` of all. A
 * newer one that does not fit (nothing of it can be taken back) is not what they mean.
 */
export async function chooseTask(
  app: App,
  id: string | undefined,
  { last }: { last?: boolean },
  directory: string,
  fits?: (task: TaskSummary) => boolean | Promise<boolean>,
): Promise<TaskSummary> {
  if (id !== undefined && last) throw fail("invalid-input", "cli.conflict", "give an id or --last, not both");
  if (id !== undefined) return findTask(app.store, id);
  const here =
    (fits && (await newestThat(app, directory, fits))) ?? (await lastTask(app.store, directory).catch(() => null));
  if (here) return here;
  if (last) return lastTask(app.store);
  throw fail(
    "invalid-input",
    "cli.no-task",
    "no task was started in this directory: give an id (`miracle history` lists them), or --last for the newest of all",
  );
}

/**
 * A task and what is said to it, from words of which the first may be an id: it is one where it looks like one and there is
 * such a task. So `miracle tell "use httpx"` speaks to the newest task of this directory.
 */
export async function chooseTaskAndWords(
  app: App,
  [first, ...rest]: string[],
  flags: { last?: boolean },
  directory: string,
): Promise<{ task: TaskSummary; words: string[] }> {
  const words = first === undefined ? [] : [first, ...rest];
  if (first === undefined || flags.last || !LIKE_AN_ID.test(first)) {
    return { task: await chooseTask(app, undefined, flags, directory), words };
  }
  return { task: await findTask(app.store, first), words: rest };
}

/** Ids have digits, so that no word is taken for one. */
const LIKE_AN_ID = /^t(?=[0-9a-z]*[0-9])[0-9a-z]{3,24}$/;
