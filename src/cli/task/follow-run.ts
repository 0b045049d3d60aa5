import type { RunEnd, RunOptions, RunPolicy } from "../../app/run-options.ts";
import type { Event } from "../../domain/task/event.ts";
import { askApproval } from "../terminal/ask-approval.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { openView, type View, type ViewOptions } from "../terminal/live-view.ts";
import { notify } from "../terminal/notify.ts";
import { isInteractive, type Terminal } from "../terminal/terminal.ts";
import type { ExitCode } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";
import { exitCodeOfRun, resultText } from "../text/result-text.ts";
import type { OpenedApp } from "./open-app.ts";

export interface Following {
  terminal: Terminal;
  opened: OpenedApp;
  mode: ViewOptions["mode"];
  /** What is allowed without asking. */
  approve: RunPolicy;
  notify: string | null;
  maxIterations?: number;
  /** Said when the run begins: not before the task is ours. */
  notes?: string[];
  /** Told at the end in place of the result; null: nothing but the result. */
  tell?: (end: RunEnd) => string | null;
  /** What happened before, where a task goes on. */
  past?: AsyncIterable<Event>;
}

/** Shows a run from its start to its result: progress, questions, Ctrl-C, the result on stdout. */
export async function followRun(
  following: Following,
  start: (options: RunOptions) => Promise<RunEnd>,
): Promise<ExitCode> {
  const { terminal, opened, mode, maxIterations } = following;
  using view = openView(terminal, { mode, ...(maxIterations && { maxIterations }) });
  for (const warning of opened.config.warnings) view.note(`warning: ${warning}`);
  for await (const event of following.past ?? []) view.recall(event);
  using interrupts = listenForInterrupts(
    () => view.note("stopping after what is under way; press Ctrl-C again to stop at once"),
    () => view[Symbol.dispose](),
  );
  opened.app.bus.subscribe(view.show);
  const end = await start({
    signal: interrupts.signal,
    onTask: () => {
      for (const line of following.notes ?? []) view.note(line);
    },
    approve: following.approve,
    hooks: opened.config.hooks,
    ...askPerson(following, view),
  });
  view[Symbol.dispose]();

  const exitCode = exitCodeOfRun(end);
  if (end.ended === "failed") terminal.error.write(`miracle: ${printable(end.failure.message)}\n`);
  const told = following.tell?.(end) ?? null;
  if (told !== null) terminal.output.write(told);
  else if (mode === "json") terminal.output.write(`${JSON.stringify({ type: "run-ended", ...end, exitCode })}\n`);
  else terminal.output.write(resultText(end, view.model, Date.now()));
  if (following.notify !== null) {
    const status = end.ended === "settled" ? end.outcome.status : end.ended;
    await notify(terminal, following.notify, { MIRACLE_TASK: end.task, MIRACLE_STATUS: status });
  }
  return exitCode;
}

function askPerson({ terminal }: Following, view: View): Pick<RunOptions, "ask"> {
  if (!isInteractive(terminal)) return {};
  return { ask: (request, signal) => view.aside(() => askApproval(terminal, request, signal)) };
}
