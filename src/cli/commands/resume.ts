import type { Command } from "commander";
import { parseDuration } from "../../config/duration.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import type { Limits } from "../../domain/settings.ts";
import type { CommandContext } from "../command-line.ts";
import { eventsOf } from "../events-of.ts";
import { followRun } from "../follow-run.ts";
import { openTask } from "../open-task.ts";
import { addBudgetOptions, addViewOptions, type ViewFlags, viewMode } from "../options.ts";

interface Flags extends ConfigFlags, ViewFlags {
  last?: boolean;
  takeOver?: boolean;
  yes?: boolean;
}

export function define(command: Command, { terminal, finish }: CommandContext): void {
  addBudgetOptions(command.option("--last", "the newest task of this directory"))
    .option("--notify <command>", "run this when the task ends")
    .option("-y, --yes", "answer every confirmation with yes")
    .option("--take-over", "also from a process on another host, which cannot be seen from here")
    .addHelpText("after", "\nA task goes on with what it was started with; the budget given here replaces its own.");
  addViewOptions(command).action(async (id: string | undefined, flags: Flags) => {
    await using opened = await openTask(terminal, id, flags);
    const { app, config, task } = opened;
    const following = {
      terminal,
      opened,
      mode: viewMode(flags),
      yes: flags.yes === true,
      notes: [`task ${task.id} goes on in ${task.directory}`],
      past: eventsOf(app.store, task.id),
    };
    finish(
      await followRun({ ...following, notify: flags.notify ?? config.notify }, (options) =>
        app.resume(task.id, toLimits(flags), { ...options, takeOver: flags.takeOver === true }),
      ),
    );
  });
}

/** Only what was given: everything else stays as it was frozen. */
function toLimits({ maxCost, maxTokens, timeout }: ConfigFlags): Partial<Limits> {
  const timeoutMs = timeout === undefined ? undefined : parseDuration(timeout);
  return {
    ...(maxCost !== undefined && { maxCostMicros: Math.floor(maxCost * 1_000_000) }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}
