import type { Command } from "commander";
import type { App, OpenedApp } from "../../app.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { count } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";
import { chooseTask } from "./choose-task.ts";
import { openToLook } from "./open-app.ts";

interface Flags {
  last?: boolean;
  unproven?: boolean;
  force?: boolean;
  branch?: string;
  keepTests?: boolean;
  merge?: boolean;
}

type Deliver = (
  app: App,
  task: TaskSummary,
  flags: Flags,
  signal: AbortSignal,
  config: OpenedApp["config"],
) => Promise<void>;

const branchPlace = ({ type, branch }: { type: string; branch?: string | undefined }): string =>
  type === "change-applied" ? `on the new branch ${branch}` : `with branch ${branch} removed`;

/** `apply` and `undo`: both write into the person's directory and then name what they wrote. */
export function deliveryCommand(
  command: Command,
  { terminal }: CommandContext,
  fits: (app: App, task: TaskSummary) => boolean | Promise<boolean>,
  deliver: Deliver,
): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .action(async (id: string | undefined, flags: Flags) => {
      await using opened = await openToLook(terminal);
      const { app } = opened;
      const task = await chooseTask(app, id, flags, terminal.directory, (one) => fits(app, one));
      using interrupts = listenForInterrupts(() => {});
      app.bus.subscribe((message) => {
        if (message.type !== "change-applied" && message.type !== "change-undone") return;
        // To add tests, what was written is put back first: nobody asked for that.
        if (message.type === "change-undone" && flags.keepTests) return;
        const what = message.type === "change-applied" ? "written" : "put back";
        const files = message.files.map((file) => `  ${printable(file)}\n`).join("");
        const place = message.branch === undefined ? `${what} in ${message.directory}` : branchPlace(message);
        terminal.output.write(`${count(message.files.length, "file")} ${place}\n${files}`);
      });
      await deliver(app, task, flags, interrupts.signal, opened.config);
    });
}
