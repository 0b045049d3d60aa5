import type { Command } from "commander";
import { isWorkedOn } from "../../app/worked-on.ts";
import type { App } from "../../app.ts";
import type { Approval } from "../../domain/approval.ts";
import { fail, TerminalFailure } from "../../domain/failure.ts";
import { howAnswered } from "../../domain/how-answered.ts";
import { answerApproval, findApproval, listApprovals } from "../../journal/approvals.ts";
import { findTask } from "../../store/tasks.ts";
import { addApprovalOptions, addServerOption, addViewOptions } from "../input/options.ts";
import { ServerClient } from "../remote/server-client.ts";
import { openApp } from "../task/open-app.ts";
import { type ResumeFlags, resumeTask } from "../task/resume-task.ts";
import { personName } from "../terminal/ask-approval.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { printable } from "../text/printable.ts";

interface Flags extends ResumeFlags {
  deny?: boolean;
  always?: boolean;
  reason?: string;
  resume?: boolean;
  server?: string;
}

export function define(command: Command, context: CommandContext): void {
  const { terminal } = context;
  command
    .option("--deny", "answer with no")
    .option("--always", "do not ask this again in this directory: writes a rule into your settings")
    .option("--reason <text>", "why, for the record; the agent reads it too")
    .option("--resume", "then go on with the task, with the flags of `resume`")
    .addHelpText(
      "after",
      "\nThe id is a question's, as `miracle approvals` lists them, or a task's that has only one. An answer is final. A question in words, as for a hint, is answered by --reason.\nExample: miracle approve a1b2c3 --reason 'we use it elsewhere' --resume",
    );
  addApprovalOptions(command);
  addServerOption(command);
  addViewOptions(command).action(async (id: string, flags: Flags) => {
    const client = ServerClient.from(flags.server, terminal.env);
    if (client) {
      const { approveRemotely } = await import("../remote/remote-commands.ts");
      return approveRemotely(terminal, client, id, flags);
    }
    const task = await answer(context, id, flags);
    if (flags.resume) await resumeTask(context, task.id, flags);
    else if (!task.worked && !flags.json) terminal.output.write(`  go on with: miracle resume ${task.id}\n`);
  });
}

async function answer(
  { terminal }: CommandContext,
  id: string,
  flags: Flags,
): Promise<{ id: string; worked: boolean }> {
  await using opened = await openApp(terminal, terminal.directory);
  const { app } = opened;
  const { task, request, answer: given } = await findQuestion(app, id);
  const granted = flags.deny !== true;
  if (flags.always && !granted) throw fail("invalid-input", "cli.usage", "--always is a yes: leave out --deny");
  if (flags.always && !given) {
    const { keepForAlways } = await import("../task/keep-for-always.ts");
    await keepForAlways(terminal, app.store, task, request);
  }
  const said = { granted, by: personName(terminal.env), at: Date.now(), reason: flags.reason ?? "" };
  const { event, counts } = await answerApproval(app.store, request.id, said);
  if (!event) {
    const how = counts.granted ? "allowed" : "not allowed";
    const message = `question ${request.id} is answered already: ${how} by ${counts.by} on ${new Date(counts.at).toISOString()}`;
    throw fail("invalid-input", "approval.answered", message);
  }
  const told = `${howAnswered(request.subject, said)}: ${printable(request.question)}`;
  terminal.output.write(`${flags.json ? JSON.stringify(event) : told}\n`);
  return { id: task, worked: await isWorkedOn(app.store, task) };
}

/** The question of this id, or the only one that a task of this id waits for. */
async function findQuestion({ store }: App, id: string): Promise<Approval> {
  try {
    return await findApproval(store, id);
  } catch (error) {
    if (!(error instanceof TerminalFailure) || error.failure.code !== "approval.unknown" || !id.startsWith("t"))
      throw error;
    const task = await findTask(store, id);
    const [only, ...more] = await listApprovals(store, { task: task.id, answered: false });
    if (only && more.length === 0) return only;
    const message = only ? `task ${task.id} has several open questions` : `task ${task.id} has no open question`;
    throw fail("invalid-input", "approval.which", `${message}; \`miracle approvals\` lists them`);
  }
}
