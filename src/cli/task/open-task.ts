import type { OpenedApp } from "../../app.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { chooseTask } from "./choose-task.ts";
import { openApp, openToLook } from "./open-app.ts";

interface OpenedTask extends OpenedApp {
  task: TaskSummary;
}

/** A task with the settings, keys and secrets of its own directory, wherever the command is called. */
export async function openTask(
  terminal: Terminal,
  id: string | undefined,
  flags: { last?: boolean },
): Promise<OpenedTask> {
  const task = await findChosen(terminal, id, flags);
  return { ...(await openApp(terminal, task.directory)), task };
}

async function findChosen(terminal: Terminal, id: string | undefined, flags: { last?: boolean }): Promise<TaskSummary> {
  await using opened = await openToLook(terminal);
  return await chooseTask(opened.app, id, flags, terminal.directory);
}
