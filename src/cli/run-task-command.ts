import type { ConfigFlags } from "../config/flags.ts";
import { packageRoot } from "../config/package-root.ts";
import { readPrompts } from "../config/prompts.ts";
import { attachFiles } from "./attach-files.ts";
import type { CommandContext } from "./command-line.ts";
import { costRange } from "./cost-range.ts";
import { followRun } from "./follow-run.ts";
import { openApp } from "./open-app.ts";
import { runPolicy, settingFlags, type ViewFlags, viewMode } from "./options.ts";
import { readGoal } from "./read-goal.ts";
import { readPlan } from "./read-plan.ts";
import { resolveSettings } from "./resolve-settings.ts";

/** The flags of `run` and `continue`, as commander parsed them. */
export interface RunFlags extends ConfigFlags, ViewFlags {
  attach?: string[];
  apply?: boolean;
  plan?: string;
  yes?: boolean;
}

export interface RunCommand {
  words: string[];
  flags: RunFlags;
  directory: string;
  /** The task whose result this one goes on from. */
  parent?: string;
  startTree?: string;
}

/** Starts a task and follows it to its result. */
export async function runTaskCommand(
  { terminal, finish }: CommandContext,
  { words, flags, directory, parent, startTree }: RunCommand,
): Promise<void> {
  // What the person gave is checked before anything is opened for it.
  const plan = flags.plan === undefined ? undefined : await readPlan(flags.plan, terminal.directory);
  const planned = plan && words.length === 0 ? (plan.goal ?? plan.spec.title) : undefined;
  const goal = planned ?? (await readGoal(words, terminal));
  const attachments = attachFiles(flags.attach ?? [], terminal.directory);
  await using opened = await openApp(terminal, directory, settingFlags(flags));
  const { app, config } = opened;
  const settings = resolveSettings(config);
  const prompts = readPrompts(packageRoot(), config.promptOverrides);
  const notes = [costRange(settings)];
  if (settings.sandbox.backend === "process")
    notes.push("warning: no sandbox: generated code runs with your own rights");
  const request = {
    goal,
    directory,
    attachments,
    apply: flags.apply !== false,
    ...(plan && { plan }),
    ...(parent && { parent }),
    ...(startTree && { startTree }),
  };
  const exit = await followRun(
    {
      terminal,
      opened,
      mode: viewMode(flags),
      approve: runPolicy(flags),
      notify: config.notify,
      maxIterations: settings.limits.maxIterations,
      notes,
    },
    (options) => app.start(request, settings, prompts, options),
  );
  finish(exit);
}
