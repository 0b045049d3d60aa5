import type { Command } from "commander";
import { goOnFrom } from "../../app/go-on-from.ts";
import { attachFiles } from "../input/attach-files.ts";
import { checkBranchFlag } from "../input/check-branch-flag.ts";
import { addResultOptions, addSettingOptions, addViewOptions, collect } from "../input/options.ts";
import { readGoal } from "../input/read-goal.ts";
import { chooseTaskAndWords } from "../task/choose-task.ts";
import { openApp } from "../task/open-app.ts";
import type { StartFlags, WantedTask } from "../task/prepare-task.ts";
import { startTask } from "../task/start-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function define(command: Command, context: CommandContext): void {
  const { terminal, finish } = context;
  addSettingOptions(command).option(
    "--attach <file>",
    "give this image or file to the model (may be repeated)",
    collect,
  );
  addResultOptions(command);
  addViewOptions(command).action(async (first: string | undefined, rest: string[], flags: StartFlags) => {
    const { words, ...parent } = await parentOf(terminal, first === undefined ? rest : [first, ...rest]);
    await checkBranchFlag(flags, parent.directory);
    const goal = await readGoal(words, terminal);
    const attachments = attachFiles(flags.attach ?? [], terminal.directory);
    finish(await startTask(context, { goal, attachments, ...parent }, flags));
  });
}

/** The new task works where the old one did; a result that was not applied is what it starts from. */
async function parentOf(
  terminal: Terminal,
  all: string[],
): Promise<Omit<WantedTask, "goal" | "attachments"> & { words: string[] }> {
  await using opened = await openApp(terminal, terminal.directory);
  const { task, words } = await chooseTaskAndWords(opened.app, all, {}, terminal.directory);
  return { words, directory: task.directory, parent: task.id, ...(await goOnFrom(opened.app, task)) };
}
