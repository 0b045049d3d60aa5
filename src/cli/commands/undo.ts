import type { Command } from "commander";
import { isOutstanding, undoTask } from "../../app/deliver-task.ts";
import { deliveryCommand } from "../task/delivery-command.ts";
import type { CommandContext } from "../terminal/command-context.ts";

export function define(command: Command, context: CommandContext): void {
  command.option("-f, --force", "also over files that you changed since");
  deliveryCommand(
    command,
    context,
    isOutstanding,
    (app, task, flags, signal) => undoTask(app, task, flags.force === true, signal),
    "nothing is left to take back: no result of a task of this directory stands in it",
  );
}
