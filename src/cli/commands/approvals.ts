import type { Command } from "commander";
import type { Approval } from "../../domain/approval.ts";
import { howAnswered } from "../../domain/how-answered.ts";
import { listApprovals } from "../../journal/approvals.ts";
import { findTask } from "../../store/tasks.ts";
import { openToLook } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { elapsed } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";

interface Flags {
  all?: boolean;
  task?: string;
  json?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--all", "also those that are answered, with who, when and why")
    .option("--task <id>", "of this task")
    .option("--json", "one question per line")
    .addHelpText("after", "\nA question waits until it is answered: miracle approve ID, or miracle approve ID --deny.")
    .action(async ({ all, task, json }: Flags) => {
      await using opened = await openToLook(terminal);
      const { store } = opened.app;
      const of = task === undefined ? undefined : (await findTask(store, task)).id;
      const approvals = await listApprovals(store, { task: of, answered: all === true });
      if (json) for (const approval of approvals) terminal.output.write(`${JSON.stringify(approval)}\n`);
      else if (approvals.length === 0) terminal.error.write("no open questions\n");
      else terminal.output.write(approvals.map((approval) => describe(approval, Date.now())).join(""));
    });
}

const MOST_LINES = 12;

function describe({ task, request, createdAt, answer }: Approval, now: number): string {
  const { id, subject, question, todo, detail } = request;
  const place = todo === undefined ? `task ${task}` : `task ${task}, todo ${todo}`;
  const lines = detail.split("\n");
  const more = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} lines more: --json shows all`] : [];
  const given = answer && [
    `${howAnswered(subject, answer)} by ${answer.by} on ${new Date(answer.at).toISOString()}`,
    ...(answer.reason === "" ? [] : [answer.reason]),
  ];
  const told = [...lines.slice(0, MOST_LINES), ...more, ...(given ? [given.join(": ")] : [])];
  const head = `${id}  ${subject}: ${question}  (${place}, asked ${elapsed(now - createdAt)} ago)`;
  return `${[head, ...told.map((line) => `    ${line}`)].map(printable).join("\n")}\n`;
}
