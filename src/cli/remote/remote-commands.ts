import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import { type ViewFlags, viewMode } from "../input/options.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { openView } from "../terminal/live-view.ts";
import { linesFor } from "../terminal/paint.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { EXIT, type ExitCode } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";
import { exitCodeOfRun, resultLines } from "../text/result-text.ts";
import { followRemote } from "./follow-remote.ts";
import { RemoteTask, type ServerClient } from "./server-client.ts";

/** What may be said about a goal that a server works on; all else is for its settings. */
const SAID = ["effort", "accept", "maxCost", "maxTokens", "timeout", "apply"] as const;
const OF_THE_TERMINAL = ["server", "dir", "json", "quiet", "memory"];

/** Starts a goal at a server and follows it. */
export async function runRemotely(
  terminal: Terminal,
  client: ServerClient,
  goal: string,
  flags: ViewFlags & { dir?: string } & Record<string, unknown>,
): Promise<ExitCode> {
  const known = new Set<string>([...SAID, ...OF_THE_TERMINAL]);
  const other = Object.keys(flags).find((name) => !known.has(name) && flags[name] !== undefined);
  if (other !== undefined || flags.memory === false) {
    const name = (other ?? "noMemory").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw fail("invalid-input", "cli.remote", `--${name} is not for a server: its own settings say that`);
  }
  const said = Object.fromEntries(SAID.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));
  const body = { goal, ...said, ...(flags.dir !== undefined && { directory: flags.dir }) };
  const { id } = await client.post("/tasks", body, RemoteTask);
  return watchRemotely(terminal, client, id, flags);
}

/** Ctrl-C ends the watching, not the task. */
export async function watchRemotely(
  terminal: Terminal,
  client: ServerClient,
  task: string,
  flags: ViewFlags,
): Promise<ExitCode> {
  const mode = viewMode(flags);
  using view = openView(terminal, { mode });
  using interrupts = listenForInterrupts(() => view.note(`task ${task} goes on at ${client.origin}`));
  const end = await followRemote(client, task, view, interrupts.signal).catch((error: unknown) => {
    if (interrupts.signal.aborted) return null;
    throw error;
  });
  view[Symbol.dispose]();
  if (end === null) return EXIT.interrupted;
  const exitCode = exitCodeOfRun(end);
  if (mode === "json") terminal.output.write(`${JSON.stringify({ type: "run-ended", ...end, exitCode })}\n`);
  else {
    const lines = resultLines(end, view.model, Date.now(), { next: [`see it at ${client.origin}/#/tasks/${task}`] });
    terminal.output.write(linesFor(terminal, terminal.output, lines));
  }
  return exitCode;
}

/** The task of this id or beginning, or the newest one. */
export async function chooseRemote(
  client: ServerClient,
  id: string | undefined,
  { last }: { last?: boolean | undefined },
): Promise<RemoteTask> {
  if (id === undefined && !last) throw fail("invalid-input", "cli.no-task", "which task? give its id or --last");
  const { tasks } = await client.get("/tasks?limit=200", z.object({ tasks: z.array(RemoteTask) }));
  const found = id === undefined ? tasks.slice(0, 1) : tasks.filter((task) => task.id.startsWith(id));
  const [only, another] = found;
  if (only && !another) return only;
  throw fail("invalid-input", "task.unknown", `${client.origin} has ${only ? "several tasks" : "no task"} ${id ?? ""}`);
}

const Questions = z.object({
  approvals: z.array(z.object({ id: z.string(), task: z.string(), question: z.string() })),
});

/** Answers a question by its id, or the only one of a task. The server goes on by itself. */
export async function approveRemotely(
  terminal: Terminal,
  client: ServerClient,
  id: string,
  { deny, always, reason, json }: { deny?: boolean; always?: boolean; reason?: string; json?: boolean },
): Promise<void> {
  const { approvals } = await client.get("/approvals", Questions);
  const [only, another] = approvals.filter((question) => question.id.startsWith(id) || question.task.startsWith(id));
  if (!only || another) {
    const what = only ? `several open questions for ${id}; say which one` : `no open question ${id}`;
    throw fail("invalid-input", "approval.which", `${client.origin} has ${what}`);
  }
  const granted = deny !== true;
  const answered = await client.post(
    `/approvals/${only.id}`,
    { granted, reason: reason ?? "", ...(always && { holds: "always" }) },
    z.json(),
  );
  const told = `${granted ? "allowed" : "not allowed"}: ${printable(only.question)}`;
  terminal.output.write(`${json ? JSON.stringify(answered) : told}\n`);
}

export async function tellRemotely(
  terminal: Terminal,
  client: ServerClient,
  task: RemoteTask,
  { message, json }: { message: string; json?: boolean | undefined },
): Promise<void> {
  const told = await client.post(`/tasks/${task.id}/tell`, { message }, z.json());
  terminal.output.write(json ? `${JSON.stringify(told)}\n` : `told task ${task.id} at ${client.origin}\n`);
}
