import type { OpenedApp } from "../../app.ts";
import { parseDuration } from "../../config/duration.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { NO_LIMIT } from "../../config/parse-setting.ts";
import { fail } from "../../domain/failure.ts";
import type { Limits } from "../../domain/settings/settings.ts";
import type { TaskSummary } from "../../domain/task/task.ts";
import { eventsOf } from "../../store/events.ts";
import { type ApprovalFlags, runPolicy, type ViewFlags, viewMode } from "../input/options.ts";
import { ask } from "../terminal/ask.ts";
import { readAnswer } from "../terminal/ask-approval.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { isInteractive, type Terminal } from "../terminal/terminal.ts";
import { fit, printable } from "../text/printable.ts";
import { followRun } from "./follow-run.ts";
import { openTask } from "./open-task.ts";
import { type Stay, stay } from "./stay.ts";

const SHOWN_GOAL = 80;

/** The flags of `resume`, as commander parsed them. */
export interface ResumeFlags extends ConfigFlags, ViewFlags, ApprovalFlags {
  last?: boolean;
  takeOver?: boolean;
}

/** What a run that was followed came to, for who stays after it. */
type Followed = Pick<Stay, "end" | "exit" | "keepable" | "words">;

/** Goes on with a task and follows it to its result; at a terminal the person can then say the next thing. */
export async function resumeTask(context: CommandContext, id: string | undefined, flags: ResumeFlags): Promise<void> {
  const followed = await followTask(context.terminal, id, flags);
  context.finish(await stay(context, { ...followed, flags }));
}

async function followTask(terminal: Terminal, id: string | undefined, flags: ResumeFlags): Promise<Followed> {
  await using opened = await openTask(terminal, id, flags);
  const { task } = opened;
  if (flags.last && task.directory !== terminal.directory) await agreeTo(terminal, task);
  return await followResumed(terminal, opened, task.id, flags, `task ${task.id} goes on in ${task.directory}`);
}

/** The newest task of all may be another one than is meant, and going on with it costs money and writes files there. */
async function agreeTo(terminal: Terminal, { id, directory, goal }: TaskSummary): Promise<void> {
  const what = `the newest of all is ${id} in ${directory}: ${fit(goal, SHOWN_GOAL)}`;
  if (isInteractive(terminal)) {
    const question = `No task was started in this directory; ${what}. Go on with it? [y/N] `;
    if (readAnswer(await ask(terminal, printable(question))).granted) return;
  }
  const message = `no task was started in this directory; ${what} (miracle resume ${id})`;
  throw fail("invalid-input", "cli.no-task", message);
}

/** Goes on with a task that exists, and shows it from its beginning. */
export async function followResumed(
  terminal: Terminal,
  opened: OpenedApp,
  task: string,
  flags: ResumeFlags,
  note: string,
): Promise<Followed> {
  const { app, config } = opened;
  let words: string | undefined;
  using followed = await followRun({
    terminal,
    opened,
    mode: viewMode(flags),
    approve: runPolicy(flags),
    notify: flags.notify ?? config.notify,
    notes: [note],
    listens: true,
    onWords: (said) => {
      words = said;
    },
    past: eventsOf(app.store, task),
  });
  const options = { ...followed.options, takeOver: flags.takeOver === true };
  const end = await app.resume(task, toLimits(flags), options);
  const exit = await followed.showEnd(end);
  return { end, exit, keepable: followed.keepable(), ...(words !== undefined && { words }) };
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
