import { parseDuration } from "../../config/duration.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import type { Limits } from "../../domain/settings/settings.ts";
import { type ApprovalFlags, runPolicy, type ViewFlags, viewMode } from "../input/options.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { eventsOf } from "./events-of.ts";
import { followRun } from "./follow-run.ts";
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
  const { app, config, task } = opened;
  using followed = await followRun({
    terminal,
    opened,
    mode: viewMode(flags),
    approve: runPolicy(flags),
    notify: flags.notify ?? config.notify,
    notes: [`task ${task.id} goes on in ${task.directory}`],
    past: eventsOf(app.store, task.id),
  });
  const options = { ...followed.options, takeOver: flags.takeOver === true };
  finish(await followed.showEnd(await app.resume(task.id, toLimits(flags), options)));
}

/** Only what was given: everything else stays as it was frozen. */
export function toLimits({ maxCost, maxTokens, timeout }: ConfigFlags): Partial<Limits> {
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  return {
    ...(maxCost !== undefined && { maxCostMicros: Math.floor(maxCost * 1_000_000) }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}
