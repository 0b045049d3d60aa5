import type { Command } from "commander";
import { positiveInteger } from "../../config/parse-setting.ts";
import { findTask, listTasks } from "../../store/tasks.ts";
import { checked } from "../input/options.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { taskTable } from "../text/task-text.ts";

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
      await using opened = await openApp(terminal, terminal.directory);
      const { store } = opened.app;
      const page = await listTasks(store, {
        limit: Math.min(limit, 1000),
        ...(before !== undefined && { before: await findTask(store, before) }),
      });
      if (json) {
        for (const task of page.tasks) terminal.output.write(`${JSON.stringify(task)}\n`);
        return;
      }
      if (page.tasks.length === 0) terminal.error.write('no tasks yet; `miracle run "a goal"` starts one\n');
      else terminal.output.write(taskTable(page.tasks, Date.now(), terminal.output.columns || 120));
      if (page.next) terminal.error.write(`more: miracle history --before ${page.next.id}\n`);
    });
}
