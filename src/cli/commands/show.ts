import type { Command } from "commander";
import { reportOfTask } from "../../app/report-of-task.ts";
import { stateOf } from "../../app/task-state.ts";
import type { Event } from "../../domain/task/event.ts";
import { planState } from "../../domain/task/plan-state.ts";
import { listMessages } from "../../journal/messages.ts";
import { eventsOf } from "../../store/events.ts";
import { renderPage } from "../../verify/evidence/page.ts";
import { chooseTask } from "../task/choose-task.ts";
import { evidenceOfTask } from "../task/evidence-of-task.ts";
import { contextLine, listContexts } from "../task/list-contexts.ts";
import { describeStep, listSteps, stepLine } from "../task/list-steps.ts";
import { openToLook } from "../task/open-app.ts";
import { taskLines } from "../task/task-lines.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { linesFor } from "../terminal/paint.ts";
import { eventLines } from "../text/event-lines.ts";
import { line } from "../text/line.ts";
import { planUpdates } from "../text/messages-text.ts";
import { printableLines } from "../text/printable.ts";

interface Flags {
  last?: boolean;
  steps?: boolean;
  step?: string;
  context?: boolean;
  events?: boolean;
  evidence?: boolean;
  report?: boolean;
  artifacts?: boolean;
  json?: boolean;
}

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory, or of all where it has none")
    .option("--steps", "every recorded step with its time, tokens and cost; `fork --at` names one")
    .option("--step <step>", "what one step was given and what came of it, by its number or path")
    .option("--context", "what each model call was shown, in tokens by kind, and what of it a cache could have had")
    .option("--events", "everything that happened")
    .option("--evidence", "why the result may be believed, as a page")
    .option("--report", "its last run of tests with environment and coverage, as `validate --type report` reads it")
    .option(
      "--artifacts",
      "what roles made beside the code: contract, design, reports; `export --format artifacts` writes it",
    )
    .option("--json", "as JSON: the task, its evidence, or one step or event per line")
    .action(async (id: string | undefined, flags: Flags) => {
      await using opened = await openToLook(terminal);
      const { app } = opened;
      const task = await chooseTask(app, id, flags, terminal.directory);
      const { output } = terminal;
      if (flags.evidence) {
        const { document } = await evidenceOfTask(app, task.id);
        output.write(flags.json ? `${JSON.stringify(document)}\n` : renderPage(document));
      } else if (flags.report) {
        output.write(`${JSON.stringify(await reportOfTask(app, task), null, 2)}\n`);
      } else if (flags.artifacts) {
        const { artifactsOfTask } = await import("../../app/artifacts-of-task.ts");
        const made = await artifactsOfTask(app, task);
        if (made.length === 0) terminal.error.write("no role made a file beside the code yet\n");
        for (const { path, content } of made) {
          const line = `${path}  ${Buffer.byteLength(content)} bytes\n`;
          output.write(flags.json ? `${JSON.stringify({ path, content })}\n` : line);
        }
      } else if (flags.step !== undefined) {
        output.write(await describeStep(app, task.id, flags.step, flags.json === true));
      } else if (flags.steps) {
        for await (const step of listSteps(app, task.id)) {
          output.write(flags.json ? `${JSON.stringify(step)}\n` : stepLine(step));
        }
      } else if (flags.context) {
        for await (const context of listContexts(app, task.id)) {
          output.write(flags.json ? `${JSON.stringify(context)}\n` : printableLines(contextLine(context)));
        }
      } else if (flags.events) {
        for await (const event of eventsOf(app.store, task.id)) {
          const line = flags.json ? JSON.stringify(event) : timed(event);
          if (line !== null) output.write(`${line}\n`);
        }
      } else {
        if (!flags.json) {
          output.write(linesFor(terminal, output, await taskLines(app, task)));
          return;
        }
        const events: Event[] = [];
        for await (const event of eventsOf(app.store, task.id)) events.push(event);
        const messages = await listMessages(app.store, task.id);
        const state = await stateOf(app.store, task);
        const plan = planState(events, task.status);
        output.write(`${JSON.stringify({ ...task, state, plan, messages, planUpdates: planUpdates(events) })}\n`);
      }
    });
}

const settled = (status: string) => line(`settled: ${status}`);

function timed(event: Event): string | null {
  const [line, ...below] = event.type === "task-settled" ? [settled(event.outcome.status)] : eventLines(event);
  if (line === undefined) return null;
  return [`${new Date(event.at).toISOString()}  ${line.text}`, ...below.map(({ text }) => text)].join("\n");
}
