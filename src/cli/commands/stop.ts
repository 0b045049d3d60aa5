import type { Command } from "commander";
import { stopEverything } from "../../app/stop-everything.ts";
import { fail } from "../../domain/failure.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { count } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";

const HELP = `
Every task that is worked on pauses at its step, and what waits for its turn is withdrawn. What does not
obey within ten seconds is named; with --force its process on this machine is ended, a server or worker as well. Every task
can be resumed. For one task: miracle pause ID, miracle cancel ID.

Examples:
  miracle stop --all
  miracle stop --all --force`;

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--all", "every task of this machine's or team's database")
    .option("--force", "end the processes that do not obey")
    .addHelpText("after", HELP)
    .action(async ({ all, force }: { all?: boolean; force?: boolean }) => {
      if (!all)
        throw fail("invalid-input", "cli.usage", "say --all; for one task: miracle pause ID, miracle cancel ID");
      await using opened = await openApp(terminal, terminal.directory);
      const { stopped, withdrawn, ended, left } = await stopEverything(opened.app.store, { force: force === true });
      const write = (text: string) => terminal.output.write(`${printable(text)}\n`);
      write(`${count(stopped.length, "task")} stopped, ${withdrawn.length} withdrawn from the queue`);
      for (const task of [...stopped, ...withdrawn]) write(`  go on with: miracle resume ${task}`);
      for (const { task, pid } of ended) write(`  task ${task}: its process ${pid} was ended`);
      if (left.length === 0) return;
      const names = left.map(({ task, pid, host }) => `${task} (process ${pid} on ${host})`).join(", ");
      const next = force ? "end it there" : "miracle stop --all --force ends processes of this machine";
      throw fail("environment", "stop.left", `${count(left.length, "task")} did not stop yet: ${names}; ${next}`);
    });
}
