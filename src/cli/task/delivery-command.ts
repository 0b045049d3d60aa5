import type { Command } from "commander";
import type { App, OpenedApp } from "../../app.ts";
import { fail } from "../../domain/failure.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { count } from "../text/amounts.ts";
import { fit, printable } from "../text/printable.ts";
import { undoneText } from "../text/undone-text.ts";
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

const SHOWN_GOAL = 80;

type Delivered = Event & { type: "change-applied" | "change-undone" };

function said(message: Delivered): string {
  const { type, branch, directory, files } = message;
  if (type === "change-undone" && branch === undefined) return undoneText(message);
  const place =
    branch === undefined
      ? `written in ${directory}`
      : type === "change-applied"
        ? `on the new branch ${branch}`
        : `with branch ${branch} removed`;
  return `${count(files.length, "file")} ${place}`;
}

/** `apply` and `undo`: both write into the person's directory and then name what they wrote. */
export function deliveryCommand(
  command: Command,
  { terminal }: CommandContext,
  fits: (app: App, task: TaskSummary) => boolean | Promise<boolean>,
  deliver: Deliver,
  /** What is said where no task of this directory fits and none was named; absent: of the newest one, why it does not. */
  none?: string,
): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .action(async (id: string | undefined, flags: Flags) => {
      await using opened = await openToLook(terminal);
      const { app } = opened;
      const task = await chooseTask(app, id, flags, terminal.directory, (one) => fits(app, one));
      const isMeant = id !== undefined || flags.last || (await fits(app, task));
      if (none !== undefined && !isMeant) throw fail("invalid-input", "apply.nothing", none);
      using interrupts = listenForInterrupts(() => {});
      app.bus.subscribe((message) => {
        if (message.type !== "change-applied" && message.type !== "change-undone") return;
        // To add tests, what was written is put back first: nobody asked for that.
        if (message.type === "change-undone" && flags.keepTests) return;
        const { type } = message;
        if (type === "change-undone")
          terminal.output.write(`taken back: ${fit(task.goal, SHOWN_GOAL)} (task ${task.id})\n`);
        const files = message.files.map((file) => `  ${printable(file)}\n`).join("");
        terminal.output.write(`${said(message)}\n${files}`);
      });
      await deliver(app, task, flags, interrupts.signal, opened.config);
    });
}
