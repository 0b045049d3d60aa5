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
import { say } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { fit } from "../text/printable.ts";

const SHOWN_GOAL = 80;

interface Flags extends StartFlags {
  asBefore?: boolean;
}

export function define(command: Command, context: CommandContext): void {
  const { terminal, finish } = context;
  addSettingOptions(command).option(
    "--attach <file>",
    "give this image or file to the model (may be repeated)",
    collect,
  );
  command.option("--as-before", "with the limits, questions and ways of working of the task that it goes on from");
  addResultOptions(command);
  addViewOptions(command).action(async (first: string | undefined, rest: string[], given: Flags) => {
    const all = first === undefined ? rest : [first, ...rest];
    const { words, asked, note, ...parent } = await parentOf(terminal, all);
    if (note !== "" && !given.quiet) say(terminal, note);
    const flags = given.asBefore ? over(asked, given) : given;
    await checkBranchFlag(flags, parent.directory);
    const goal = await readGoal(words, terminal);
    const attachments = attachFiles(flags.attach ?? [], terminal.directory);
    finish(await startTask(context, { goal, attachments, ...parent }, flags));
  });
}

/** What is given now comes first. What can only be turned off has a value of its own where nobody said it. */
function over(asked: Asked, { apply, memory, ...given }: Flags): Flags {
  const isOff = { ...(apply === false && { apply }), ...(memory === false && { memory }) };
  return { ...asked, ...given, ...isOff };
}

type Asked = Awaited<ReturnType<typeof goOnFrom>>["asked"];

/** The new task works where the old one did; a result that was not applied is what it starts from. */
async function parentOf(
  terminal: Terminal,
  all: string[],
): Promise<Omit<WantedTask, "goal" | "attachments"> & { words: string[]; asked: Asked; note: string }> {
  await using opened = await openApp(terminal, terminal.directory);
  const { task, words } = await chooseTaskAndWords(opened.app, all, {}, terminal.directory);
  const isNamed = words.length < all.length;
  const note = isNamed ? "" : `goes on from task ${task.id}: ${fit(task.goal, SHOWN_GOAL)}`;
  return { words, note, directory: task.directory, parent: task.id, ...(await goOnFrom(opened.app, task)) };
}
