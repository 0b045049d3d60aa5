import type { Command } from "commander";
import { workingDirectory } from "../input/directory.ts";
import { addSettingOptions, addViewOptions, collect } from "../input/options.ts";
import { type RunFlags, runTaskCommand } from "../task/run-task-command.ts";
import type { CommandContext } from "../terminal/command-context.ts";

interface Flags extends RunFlags {
  dir?: string;
}

export function define(command: Command, context: CommandContext): void {
  addSettingOptions(command)
    .option("--dir <path>", "the directory to work for; default: where you are")
    .option("--attach <file>", "give this image or file to the model (may be repeated)", collect)
    .option("--plan <file>", "work on this plan, YAML or JSON, instead of making one (see miracle plan)")
    .option("-p, --template <name>", "a kind of project to build from (see miracle templates); none: do not guess it")
    .option("--set <name=value>", "a parameter of the template (may be repeated)", collect)
    .option("--no-apply", "keep the result, do not write it into the directory")
    .option("--branch <name>", "the result becomes a commit on this new branch; your files stay as they are")
    .option("-y, --yes", "answer every question with yes");
  addViewOptions(command)
    .addHelpText(
      "after",
      '\nThe goal is words, or - to read it from stdin; without one you are asked.\nExamples:\n  miracle run "Build a CLI that counts words" --max-cost 2\n  miracle run -p web_app "A shop for pears"',
    )
    .action((words: string[], flags: Flags) =>
      runTaskCommand(context, { words, flags, directory: workingDirectory(context.terminal.directory, flags.dir) }),
    );
}
