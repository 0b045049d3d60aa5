import type { Command } from "commander";
import { taskStandings } from "../../app/task-state.ts";
import { positiveInteger } from "../../config/parse-setting.ts";
import { planProgress, planState } from "../../domain/task/plan-state.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { planEvents } from "../../store/events.ts";
import type { Store } from "../../store/store.ts";
import { findTask, listTasks } from "../../store/tasks.ts";
import { unsettledCalls } from "../../store/unsettled-calls.ts";
import { checked } from "../input/options.ts";
import { openToLook } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { type ListedTask, taskTable } from "../text/task-text.ts";

interface Flags {
  limit: number;
  before?: string;
  json?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("-n, --limit <n>", "tasks on a page", checked(positiveInteger), 20)
    .option("--before <id>", "the page behind this task")
    .option("--json", "one task per line")
    .action(async ({ limit, before, json }: Flags) => {
      await using opened = await openToLook(terminal);
      const { store } = opened.app;
      const page = await listTasks(store, {
        limit: Math.min(limit, 1000),
        ...(before !== undefined && { before: await findTask(store, before) }),
      });
      const tasks = await listed(store, page.tasks);
      if (json) {
        for (const task of tasks) terminal.output.write(`${JSON.stringify(task)}\n`);
        return;
      }
      if (tasks.length === 0) terminal.error.write('no tasks yet; `miracle run "a goal"` starts one\n');
      else {
        const ids = tasks.map(({ id }) => id);
        const unsettled = await unsettledCalls(store, ids);
        terminal.output.write(taskTable(tasks, Date.now(), terminal.output.columns || 120, unsettled));
      }
      if (page.next) terminal.error.write(`more: miracle history --before ${page.next.id}\n`);
    });
}

async function listed(store: Store, tasks: TaskSummary[]): Promise<ListedTask[]> {
  const standings = await taskStandings(store, tasks);
  const events = await planEvents(
    store,
    tasks.map(({ id }) => id),
  );
  return tasks.map((task) => {
    const plan = planState(events.get(task.id) ?? [], task.status);
    const state = standings.get(task.id)?.state ?? task.status;
    return { ...task, state, plan: plan && planProgress(plan) };
  });
}
