import { parseDuration } from "../../config/duration.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { NO_LIMIT } from "../../config/parse-setting.ts";
import type { Limits } from "../../domain/settings/settings.ts";
import { eventsOf } from "../../store/events.ts";
import { type ApprovalFlags, runPolicy, type ViewFlags, viewMode } from "../input/options.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { ExitCode } from "../text/exit-codes.ts";
import { followRun } from "./follow-run.ts";
import type { OpenedApp } from "./open-app.ts";
import { openTask } from "./open-task.ts";

/** The flags of `resume`, as commander parsed them. */
export interface ResumeFlags extends ConfigFlags, ViewFlags, ApprovalFlags {
  last?: boolean;
  takeOver?: boolean;
}

/** Goes on with a task and follows it to its result. */
export async function resumeTask(
  { terminal, finish }: CommandContext,
  id: string | undefined,
  flags: ResumeFlags,
): Promise<void> {
  await using opened = await openTask(terminal, id, flags);
  const { task } = opened;
  const note = `task ${task.id} goes on in ${task.directory}`;
  finish(await followResumed(terminal, opened, task.id, flags, note));
}

/** Goes on with a task that exists, and shows it from its beginning. */
export async function followResumed(
  terminal: Terminal,
  opened: OpenedApp,
  task: string,
  flags: ResumeFlags,
  note: string,
): Promise<ExitCode> {
  const { app, config } = opened;
  using followed = await followRun({
    terminal,
    opened,
    mode: viewMode(flags),
    approve: runPolicy(flags),
    notify: flags.notify ?? config.notify,
    notes: [note],
    listens: true,
    past: eventsOf(app.store, task),
  });
  const options = { ...followed.options, takeOver: flags.takeOver === true };
  return followed.showEnd(await app.resume(task, toLimits(flags), options));
}

/** Only what was given: everything else stays as it was frozen. */
function toLimits({ maxCost, maxTokens, timeout }: ConfigFlags): Partial<Limits> {
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  return {
    ...(maxCost !== undefined && { maxCostMicros: maxCost === NO_LIMIT ? null : Math.floor(maxCost * 1_000_000) }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}
