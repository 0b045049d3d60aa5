import type { Command } from "commander";
import type { App } from "../app.ts";
import type { TaskSummary } from "../domain/task.ts";
import { count } from "./amounts.ts";
import type { CommandContext } from "./command-line.ts";
import { taskMeant } from "./find-task.ts";
import { listenForInterrupts } from "./interrupts.ts";
import { openApp } from "./open-app.ts";
import { printable } from "./printable.ts";

interface Flags {
  last?: boolean;
  unproven?: boolean;
  force?: boolean;
}

type Deliver = (app: App, task: TaskSummary, flags: Flags, signal: AbortSignal) => Promise<void>;

/** `apply` and `undo`: both write into the person's directory and then name what they wrote. */
export function deliveryCommand(command: Command, { terminal }: CommandContext, deliver: Deliver): void {
  command.option("--last", "the newest task of this directory").action(async (id: string | undefined, flags: Flags) => {
    await using opened = await openApp(terminal, terminal.directory);
    const { app } = opened;
    const task = await taskMeant(app, id, flags, terminal.directory);
    using interrupts = listenForInterrupts(() => {});
    app.bus.subscribe((message) => {
      if (message.type !== "change-applied" && message.type !== "change-undone") return;
      const what = message.type === "change-applied" ? "written" : "put back";
      const files = message.files.map((file) => `  ${printable(file)}\n`).join("");
      terminal.output.write(`${count(message.files.length, "file")} ${what} in ${message.directory}\n${files}`);
    });
    await deliver(app, task, flags, interrupts.signal);
  });
}
