import type { Command } from "commander";
import { addApprovalOptions, addBudgetOptions, addViewOptions } from "../input/options.ts";
import { type ResumeFlags, resumeTask } from "../task/resume-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";

export function define(command: Command, context: CommandContext): void {
  addBudgetOptions(
    command.option(
      "--last",
      "the newest task of this directory; where it has none, you are asked about the newest of all",
    ),
  )
    .option("--notify <command>", "run this when the task ends")
    .option("--take-over", "also when a process on another host may still work on it: that cannot be seen from here")
    .addHelpText("after", "\nA task goes on with what it was started with; the budget given here replaces its own.");
  addApprovalOptions(command);
  addViewOptions(command).action((id: string | undefined, flags: ResumeFlags) => resumeTask(context, id, flags));
}
