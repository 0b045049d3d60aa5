import type { ConfigFlags } from "../../config/flags.ts";
import { packageRoot } from "../../config/package-root.ts";
import { readPrompts } from "../../config/prompts.ts";
import { fail } from "../../domain/failure.ts";
import { attachFiles } from "../input/attach-files.ts";
import { detectedPrompts, NO_TYPE } from "../input/detect-type.ts";
import { runPolicy, settingFlags, type ViewFlags, viewMode } from "../input/options.ts";
import { readGoal } from "../input/read-goal.ts";
import { readPlan } from "../input/read-plan.ts";
import { resolveSettings } from "../input/resolve-settings.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { costRange } from "../text/cost-range.ts";
import { followRun } from "./follow-run.ts";
import { openApp } from "./open-app.ts";

/** The flags of `run` and `continue`, as commander parsed them. */
export interface RunFlags extends ConfigFlags, ViewFlags {
  attach?: string[];
  apply?: boolean;
  branch?: string;
  plan?: string;
  template?: string;
  set?: string[];
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
  if (flags.plan !== undefined && flags.direct) {
    throw fail("invalid-input", "cli.usage", "--direct works without a plan: leave out --direct or --plan");
  }
  if (flags.branch !== undefined)
    await (await import("../input/check-branch-flag.ts")).checkBranchFlag(flags, directory);
  const plan = flags.plan === undefined ? undefined : await readPlan(flags.plan, terminal.directory);
  const planned = plan && words.length === 0 ? (plan.goal ?? plan.spec.title) : undefined;
  // A template has a goal of its own, or says that one is missing.
  const template = flags.template === NO_TYPE ? undefined : flags.template;
  const said = planned ?? (template !== undefined && words.length === 0 ? "" : await readGoal(words, terminal));
  const attachments = attachFiles(flags.attach ?? [], terminal.directory);
  await using opened = await openApp(terminal, directory, settingFlags(flags));
  const { app, config } = opened;
  const resolved = resolveSettings(config);
  // A plan is there to be worked on, whatever a config file says of goals without one.
  const settings = plan ? { ...resolved, direct: false } : resolved;
  const shipped = readPrompts(packageRoot(), config.promptOverrides);
  const templates = template === undefined ? null : await import("../input/use-template.ts");
  const wish = { name: template ?? "", set: flags.set ?? [], words: said };
  const used = await templates?.useTemplate(wish, config, shipped);
  const start = used && (await templates?.treeWithFiles(app, directory, used.files));
  const isOpen = flags.template === undefined && !plan && !settings.direct;
  const typed = isOpen ? await detectedPrompts(said, directory, config, shipped) : null;
  const notes = [costRange(settings), ...(typed ? [typed.note] : [])];
  if (settings.sandbox.backend === "process")
    notes.push("warning: no sandbox: generated code runs with your own rights");
  const request = {
    goal: used?.goal ?? said,
    ...(used && !used.plan && { words: said }),
    directory,
    attachments,
    apply: flags.apply !== false,
    ...(flags.branch !== undefined && { branch: flags.branch }),
    ...(used?.plan && { plan: used.plan }),
    ...(plan && { plan }),
    ...(parent && { parent }),
    ...(start?.tree && { startTree: start.tree }),
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
    ({ onTask, ...options }) =>
      app.start(request, settings, used?.prompts ?? typed?.prompts ?? shipped, {
        ...options,
        onTask: (task) => {
          start?.handOver(task);
          onTask?.(task);
        },
      }),
  );
  finish(exit);
}
