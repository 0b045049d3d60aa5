import { type Command, Option } from "commander";
import { NO_TYPE } from "../../app/detect-type.ts";
import { fail } from "../../domain/failure.ts";
import { attachFiles } from "../input/attach-files.ts";
import { checkBranchFlag } from "../input/check-branch-flag.ts";
import { workingDirectory } from "../input/directory.ts";
import { addResultOptions, addServerOption, addSettingOptions, addViewOptions, collect } from "../input/options.ts";
import { readGoal } from "../input/read-goal.ts";
import { readPlan } from "../input/read-plan.ts";
import { ServerClient } from "../remote/server-client.ts";
import type { StartFlags, WantedTask } from "../task/prepare-task.ts";
import { startTask } from "../task/start-task.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface Flags extends StartFlags {
  dir?: string;
  plan?: string;
  template?: string;
  set?: string[];
  server?: string;
  task?: string;
  enableReview?: boolean;
  enableAudit?: boolean;
}

export function define(command: Command, context: CommandContext): void {
  const { terminal, finish } = context;
  addSettingOptions(command)
    .option("--dir <path>", "the directory to work for; default: where you are")
    .option("-t, --task <goal>", "the goal, as a flag instead of words")
    // Other names of --review and --audit.
    .addOption(new Option("--enable-review").hideHelp())
    .addOption(new Option("--enable-audit").hideHelp())
    .option("--attach <file>", "give this image or file to the model (may be repeated)", collect)
    .option("--plan <file>", "work on this plan, YAML or JSON, instead of making one (see miracle plan)")
    .option("-p, --template <name>", "a kind of project to build from (see miracle templates); none: do not guess it")
    .option("--set <name=value>", "a parameter of the template (may be repeated)", collect);
  addResultOptions(command);
  addServerOption(command);
  addViewOptions(command)
    .addHelpText(
      "after",
      '\nThe goal is words, or - to read it from stdin; without one you are asked.\nExamples:\n  miracle run "Build a CLI that counts words" --max-cost 2\n  miracle run -p web_app "A shop for pears"',
    )
    .action(async (given: string[], named: Flags) => {
      const words = goalWords(given, named);
      const flags = underOurNames(named);
      const client = ServerClient.from(flags.server, terminal.env);
      if (client) {
        const { runRemotely } = await import("../remote/remote-commands.ts");
        finish(await runRemotely(terminal, client, await readGoal(words, terminal), { ...flags }));
        return;
      }
      const wanted = await readWanted(terminal, words, flags);
      finish(await startTask(context, wanted, flags));
    });
}

function goalWords(words: string[], { task }: Flags): string[] {
  if (task === undefined) return words;
  if (words.length === 0) return [task];
  throw fail("invalid-input", "cli.usage", "the goal is given twice: as words and with --task; leave one out");
}

const underOurNames = ({ enableReview, enableAudit, task: _, ...flags }: Flags): Flags => ({
  ...flags,
  ...(enableReview && { review: true }),
  ...(enableAudit && { audit: true }),
});

/** What the person gave is checked before anything is opened for it. */
async function readWanted(terminal: Terminal, words: string[], flags: Flags): Promise<WantedTask> {
  const directory = workingDirectory(terminal.directory, flags.dir);
  if (flags.plan !== undefined && flags.direct) {
    throw fail("invalid-input", "cli.usage", "--direct works without a plan: leave out --direct or --plan");
  }
  await checkBranchFlag(flags, directory);
  const plan = flags.plan === undefined ? undefined : await readPlan(flags.plan, terminal.directory);
  const template = templateOf(flags);
  const hasOwnGoal = words.length === 0 && typeof template === "object";
  const planned = plan && words.length === 0 ? (plan.goal ?? plan.spec.title) : undefined;
  // A template has a goal of its own, or says that one is missing.
  const goal = planned ?? (hasOwnGoal ? "" : await readGoal(words, terminal));
  return { goal, directory, attachments: attachFiles(flags.attach ?? [], terminal.directory), plan, template };
}

function templateOf({ template, set = [] }: Flags): WantedTask["template"] {
  if (template === undefined || template === NO_TYPE) return template;
  return { name: template, set };
}
