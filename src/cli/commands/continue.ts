import type { Command } from "commander";
import { findTask } from "../../store/tasks.ts";
import type { CommandContext } from "../command-line.ts";
import { openApp } from "../open-app.ts";
import { addSettingOptions, addViewOptions, collect } from "../options.ts";
import { type RunFlags, runTaskCommand } from "../run-task-command.ts";

export function define(command: Command, context: CommandContext): void {
  addSettingOptions(command)
    .option("--attach <file>", "give this image or file to the model (may be repeated)", collect)
    .option("--no-apply", "keep the result, do not write it into the directory")
    .option("-y, --yes", "answer every confirmation with yes");
  addViewOptions(command).action(async (id: string, words: string[], flags: RunFlags) => {
    const { directory, parent } = await parentOf(context, id);
    await runTaskCommand(context, { words, flags, directory, parent });
  });
}

/** The new task works where the old one did, with that directory's settings. */
async function parentOf({ terminal }: CommandContext, id: string): Promise<{ directory: string; parent: string }> {
  await using opened = await openApp(terminal, terminal.directory);
  const task = await findTask(opened.app.store, id);
  return { directory: task.directory, parent: task.id };
}
