import { existsSync } from "node:fs";
import { join } from "node:path";
import { stateOf } from "../app/task-state.ts";
import { dataDirectoryPath } from "../config/data-directory.ts";
import { databaseUrl } from "../config/database-url.ts";
import { TerminalFailure } from "../domain/failure.ts";
import { listTasks } from "../store/tasks.ts";
import { readiness } from "./doctor/readiness.ts";
import { openToLook } from "./task/open-app.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { age } from "./text/amounts.ts";
import { fit, printable } from "./text/printable.ts";
import { wrapEntry } from "./text/wrap.ts";

/** What `miracle` alone says: what to type, whether it would work here, and what was done last. */
export async function welcome(terminal: Terminal): Promise<void> {
  const columns = terminal.output.columns ?? 100;
  const lines = [
    "Give it a goal, get code that is proven to work.",
    "",
    "  miracle prove            judge the change in this git repository; no model, no key",
    '  miracle run "GOAL"       work on a goal until the code is proven',
    "  miracle resume --last    go on with a task that stopped",
    "  miracle diff --last      see the change that a task made",
    "  miracle undo --last      take it back",
    "",
    `This machine: ${await readiness(terminal)}`,
    ...(await lastTask(terminal)).map((line) => fit(line, columns)),
    "All commands: miracle --help. See it work first: miracle demo",
  ];
  terminal.output.write(lines.map((line) => `${wrapEntry(line, columns).join("\n")}\n`).join(""));
}

/** Nothing is made for it: who only looks leaves no data directory behind. */
async function lastTask(terminal: Terminal): Promise<string[]> {
  const { env, home } = terminal;
  if (databaseUrl(env) === undefined && !existsSync(join(dataDirectoryPath(env, home), "miracle.db"))) return [];
  try {
    await using opened = await openToLook(terminal);
    const { store } = opened.app;
    const [task] = (await listTasks(store, { limit: 1 })).tasks;
    if (!task) return [];
    const state = await stateOf(store, task);
    return [`Last task: ${task.id} ${state}, ${age(Date.now() - task.createdAt)}: ${printable(task.goal)}`];
  } catch (error) {
    if (error instanceof TerminalFailure) return [`Last task: ${printable(error.failure.message)}`];
    throw error;
  }
}
