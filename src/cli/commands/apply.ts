import type { Command } from "commander";
import { applyTask } from "../../app/deliver-task.ts";
import type { FinishedResult } from "../../app/merge-result.ts";
import type { ProvingOptions } from "../../app/proving.ts";
import type { App } from "../../app.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { deliveryCommand } from "../task/delivery-command.ts";
import type { CommandContext } from "../terminal/command-context.ts";

export function define(command: Command, context: CommandContext): void {
  command
    .option("--unproven", "also when nothing proves it")
    .option("--keep-tests", "with the tests that the coder did not see; also when the rest is applied already")
    .option("--merge", "where you changed the same files since: merge both, run the tests, then write")
    .option("--branch <name>", "as a commit on this new branch of the repository; files stay as they are");
  const hasResult = (_: unknown, { resultTree }: TaskSummary) => resultTree !== null;
  deliveryCommand(command, context, hasResult, (app, task, flags, signal, { settings }) =>
    applyTask(
      app,
      task,
      {
        unproven: flags.unproven === true,
        keepTests: flags.keepTests === true,
        ...(flags.merge && {
          merge: merging(app, task, { settings, signal, judge: flags.unproven !== true }, context),
        }),
        ...(flags.branch !== undefined && { branch: flags.branch }),
      },
      signal,
    ),
  );
}

type Merging = Omit<ProvingOptions, "onProgress"> & { judge: boolean };

function merging(app: App, task: TaskSummary, options: Merging, { terminal }: CommandContext) {
  return async (finished: FinishedResult) => {
    const { mergeResult } = await import("../../app/merge-result.ts");
    const onProgress = (text: string) => terminal.error.write(`${text}\n`);
    return mergeResult(app, task, finished, { ...options, onProgress });
  };
}
