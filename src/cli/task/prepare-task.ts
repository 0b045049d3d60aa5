import { checkBeforehand } from "../../app/check-beforehand.ts";
import { detectedTemplate } from "../../app/detect-type.ts";
import { resolveSettings } from "../../app/resolve-settings.ts";
import type { UsedTemplate } from "../../app/use-template.ts";
import { withUsualLimit } from "../../app/usual-limit.ts";
import type { OpenedApp } from "../../app.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { packageRoot } from "../../config/package-root.ts";
import { readPrompts } from "../../config/prompts.ts";
import type { Role } from "../../domain/message.ts";
import type { PlanFile } from "../../domain/plan/plan-file.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import type { Attachment, TaskRequest } from "../../domain/task/task.ts";
import { runPolicy, type ViewFlags, viewMode } from "../input/options.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { costRange } from "../text/cost-range.ts";
import type { Following } from "./follow-run.ts";

/** The flags of `run` and `continue`, as commander parsed them. */
export interface StartFlags extends ConfigFlags, ViewFlags {
  attach?: string[];
  apply?: boolean;
  branch?: string;
  keepTests?: boolean;
  leave?: string[];
  yes?: boolean;
}

/** What a person asked for, read and checked before anything is opened for it. */
export interface WantedTask {
  /** In the person's words; empty where a template has a goal of its own. */
  goal: string;
  directory: string;
  attachments: Attachment[];
  plan?: PlanFile | undefined;
  /** A kind of project to build from, with its parameters; none: not even a guess at one. */
  template?: { name: string; set: string[] } | "none" | undefined;
  /** The task whose result this one goes on from. */
  parent?: string;
  startTree?: string;
  /** What that task was about, and the models it asked. */
  earlier?: string;
  models?: Pick<Settings, "models" | "providers" | "prices">;
}

/** Everything a new task is started with, and how it is followed. */
interface PreparedTask {
  request: TaskRequest;
  settings: Settings;
  prompts: Record<Role, string>;
  following: Following;
}

/** From what a person asked for to what the app starts: settings, prompts and the tree to begin with. */
export async function prepareTask(
  terminal: Terminal,
  opened: OpenedApp,
  wanted: WantedTask,
  flags: StartFlags,
): Promise<PreparedTask> {
  const { app, config } = opened;
  const { goal, directory, attachments, plan, template, parent, startTree, earlier, models } = wanted;
  const isOther = flags.model !== undefined || flags.baseUrl !== undefined;
  const resolved = withUsualLimit(
    models && !isOther ? { ...config.settings, ...models } : resolveSettings(config),
    flags,
  );
  // A plan is there to be worked on, whatever a config file says of goals without one.
  const settings = plan ? { ...resolved, direct: false } : resolved;
  await checkBeforehand(directory, goal, {
    direct: settings.direct,
    isPlanned: plan !== undefined || template !== undefined,
    writesFiles: flags.apply !== false && flags.branch === undefined,
  });
  const shipped = readPrompts(packageRoot(), config.promptOverrides);
  let used: UsedTemplate | null = null;
  if (typeof template === "object") {
    const { useTemplate } = await import("../../app/use-template.ts");
    used = await useTemplate(app, { ...template, words: goal, directory }, config, shipped);
  }
  const isOpen = template === undefined && !plan && !settings.direct;
  const typed = isOpen ? await detectedTemplate(app, goal, directory, config, shipped) : null;
  used ??= typed?.used ?? null;
  const notes = [costRange(settings), ...(typed ? [typed.note] : [])];
  if (settings.sandbox.backend === "process")
    notes.push("warning: no sandbox: generated code runs with your own rights");
  else if (settings.sandbox.backend === "seatbelt")
    notes.push("warning: the seatbelt sandbox was not seen on hardware: its limits may not hold (--sandbox docker)");
  else if (settings.accept.length > 0) {
    const { hiddenPrograms } = await import("../input/hidden-programs.ts");
    notes.push(...hiddenPrograms(settings.accept, terminal.env.PATH ?? "").map((line) => `warning: ${line}`));
  }
  return {
    request: {
      goal,
      ...(used?.request ?? typed?.request),
      directory,
      attachments,
      apply: flags.apply !== false,
      ...(flags.branch !== undefined && { branch: flags.branch }),
      ...(flags.keepTests && { keepTests: true as const }),
      ...(flags.leave && { leave: flags.leave }),
      ...(plan && { plan }),
      ...(parent && { parent }),
      ...(earlier && { earlier }),
      ...(startTree && { startTree }),
    },
    settings,
    prompts: used?.prompts ?? typed?.prompts ?? shipped,
    following: {
      terminal,
      opened,
      mode: viewMode(flags),
      approve: runPolicy(flags),
      notify: config.notify,
      maxIterations: settings.limits.maxIterations,
      notes,
      onTask: used?.handOver,
    },
  };
}
