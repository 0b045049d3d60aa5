import type { TaskSummary } from "../../domain/task/task.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { taskMeant } from "./find-task.ts";
import { type OpenedApp, openApp } from "./open-app.ts";

interface OpenedTask extends OpenedApp {
  task: TaskSummary;
}

/** A task with everything as its own directory configures it, wherever this is called: keys and secrets are that directory's. */
export async function openTask(
  terminal: Terminal,
  id: string | undefined,
  flags: { last?: boolean },
): Promise<OpenedTask> {
  const task = await findMeant(terminal, id, flags);
  return { ...(await openApp(terminal, task.directory)), task };
}

async function findMeant(terminal: Terminal, id: string | undefined, flags: { last?: boolean }): Promise<TaskSummary> {
  await using opened = await openApp(terminal, terminal.directory);
  return await taskMeant(opened.app, id, flags, terminal.directory);
}
