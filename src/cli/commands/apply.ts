import type { Command } from "commander";
import { applyTask } from "../../app/deliver-task.ts";
import { deliveryCommand } from "../task/delivery-command.ts";
import type { CommandContext } from "../terminal/command-context.ts";

export function define(command: Command, context: CommandContext): void {
  command
    .option("--unproven", "also when nothing proves it")
    .option("--keep-tests", "with the tests that the coder did not see; also when the rest is applied already")
    .option("--branch <name>", "as a commit on this new branch of the repository; files stay as they are");
  deliveryCommand(command, context, (app, task, flags, signal) =>
    applyTask(
      app,
      task,
      {
        unproven: flags.unproven === true,
        keepTests: flags.keepTests === true,
        ...(flags.branch !== undefined && { branch: flags.branch }),
      },
      signal,
    ),
  );
}
