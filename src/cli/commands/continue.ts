import type { Command } from "commander";
import { unappliedResult } from "../../app/deliver-task.ts";
import { attachFiles } from "../input/attach-files.ts";
import { checkBranchFlag } from "../input/check-branch-flag.ts";
import { addSettingOptions, addViewOptions, collect } from "../input/options.ts";
import { readGoal } from "../input/read-goal.ts";
import { chooseTaskAndWords } from "../task/choose-task.ts";
import { followRun } from "../task/follow-run.ts";
import { openApp } from "../task/open-app.ts";
import { prepareTask, type StartFlags, type WantedTask } from "../task/prepare-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function define(command: Command, { terminal, finish }: CommandContext): void {
  addSettingOptions(command)
    .option("--attach <file>", "give this image or file to the model (may be repeated)", collect)
    .option("--no-apply", "keep the result, do not write it into the directory")
    .option("--branch <name>", "the result becomes a commit on this new branch; your files stay as they are")
    .option("--leave <path>", "accept what nothing shows there: a path, or 'path unit' (may be repeated)", collect)
    .option("-y, --yes", "answer every question with yes");
  addViewOptions(command).action(async (first: string | undefined, rest: string[], flags: StartFlags) => {
    const { words, ...parent } = await parentOf(terminal, first === undefined ? rest : [first, ...rest]);
    await checkBranchFlag(flags, parent.directory);
    const goal = await readGoal(words, terminal);
    const attachments = attachFiles(flags.attach ?? [], terminal.directory);
    await using opened = await openApp(terminal, parent.directory, flags);
    const wanted = { goal, attachments, ...parent };
    const { request, settings, prompts, following } = await prepareTask(terminal, opened, wanted, flags);
    using followed = await followRun(following);
    finish(await followed.showEnd(await opened.app.start(request, settings, prompts, followed.options)));
  });
}

/** The new task works where the old one did; a result that was not applied is what it starts from. */
async function parentOf(
  terminal: Terminal,
  all: string[],
): Promise<Pick<WantedTask, "directory" | "parent" | "startTree"> & { words: string[] }> {
  await using opened = await openApp(terminal, terminal.directory);
  const { task, words } = await chooseTaskAndWords(opened.app, all, {}, terminal.directory);
  const startTree = await unappliedResult(opened.app, task);
  return { words, directory: task.directory, parent: task.id, ...(startTree && { startTree }) };
}
