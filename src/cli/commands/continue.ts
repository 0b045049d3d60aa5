import type { Command } from "commander";
import { findTask } from "../../store/tasks.ts";
import { addSettingOptions, addViewOptions, collect } from "../input/options.ts";
import { unappliedResult } from "../task/deliver-task.ts";
import { openApp } from "../task/open-app.ts";
import { type RunCommand, type RunFlags, runTaskCommand } from "../task/run-task-command.ts";
import type { CommandContext } from "../terminal/command-context.ts";

export function define(command: Command, context: CommandContext): void {
  addSettingOptions(command)
    .option("--attach <file>", "give this image or file to the model (may be repeated)", collect)
    .option("--no-apply", "keep the result, do not write it into the directory")
    .option("--branch <name>", "the result becomes a commit on this new branch; your files stay as they are")
    .option("-y, --yes", "answer every question with yes");
  addViewOptions(command).action(async (id: string, words: string[], flags: RunFlags) => {
    await runTaskCommand(context, { words, flags, ...(await parentOf(context, id)) });
  });
}

/** The new task works where the old one did; a result that was not applied is what it starts from. */
async function parentOf(
  { terminal }: CommandContext,
  id: string,
): Promise<Pick<RunCommand, "directory" | "parent" | "startTree">> {
  await using opened = await openApp(terminal, terminal.directory);
  const task = await findTask(opened.app.store, id);
  const startTree = await unappliedResult(opened.app, task);
  return { directory: task.directory, parent: task.id, ...(startTree && { startTree }) };
}
