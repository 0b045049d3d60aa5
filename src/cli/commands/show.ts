import type { Command } from "commander";
import type { App } from "../../app.ts";
import type { Event } from "../../domain/event.ts";
import { renderPage } from "../../verify/evidence/page.ts";
import type { CommandContext } from "../command-line.ts";
import { eventLine } from "../event-line.ts";
import { eventsOf } from "../events-of.ts";
import { evidenceOfTask } from "../evidence-of-task.ts";
import { taskMeant } from "../find-task.ts";
import { openApp } from "../open-app.ts";
import { printable } from "../printable.ts";
import { storyLines } from "../story-text.ts";
import { describeTask } from "../task-text.ts";

interface Flags {
  last?: boolean;
  steps?: boolean;
  events?: boolean;
  evidence?: boolean;
  json?: boolean;
}

const PAGE = 1000;

export function define(command: Command, { terminal }: CommandContext): void {
  command
    .option("--last", "the newest task of this directory")
    .option("--steps", "every recorded step")
    .option("--events", "everything that happened")
    .option("--evidence", "why the result may be believed, as a page")
    .option("--json", "as JSON: the task, its evidence, or one step or event per line")
    .action(async (id: string | undefined, flags: Flags) => {
      await using opened = await openApp(terminal, terminal.directory);
      const { app } = opened;
      const task = await taskMeant(app, id, flags, terminal.directory);
      const { output } = terminal;
      if (flags.evidence) {
        const { document } = await evidenceOfTask(app, task);
        output.write(flags.json ? `${JSON.stringify(document)}\n` : renderPage(document));
      } else if (flags.steps) {
        for await (const step of stepsOf(app, task.id)) {
          const tookMs = Number(step.ended_at) - Number(step.started_at);
          const failed = step.outcome === "ok" ? "" : "  failed";
          output.write(
            flags.json
              ? `${JSON.stringify(step)}\n`
              : `${String(step.sequence).padStart(5)}  ${step.kind.padEnd(12)}  ${step.path}  ${tookMs} ms${failed}\n`,
          );
        }
      } else if (flags.events) {
        for await (const event of eventsOf(app.store, task.id)) {
          const line = flags.json ? JSON.stringify(event) : timed(event);
          if (line !== null) output.write(`${line}\n`);
        }
      } else if (flags.json) {
        output.write(`${JSON.stringify(task)}\n`);
      } else {
        const events: Event[] = [];
        for await (const event of eventsOf(app.store, task.id)) events.push(event);
        const story = storyLines(events).map((line) => `${printable(line)}\n`);
        output.write(describeTask(task, Date.now()) + story.join(""));
      }
    });
}

function timed(event: Event): string | null {
  const line = event.type === "task-settled" ? `settled: ${event.outcome.status}` : eventLine(event);
  return line === null ? null : `${new Date(event.at).toISOString()}  ${line}`;
}

async function* stepsOf(app: App, task: string) {
  for (let after = -1; ; ) {
    const rows = await app.store.read
      .selectFrom("steps")
      .selectAll()
      .where("task_id", "=", task)
      .where("sequence", ">", after)
      .orderBy("sequence")
      .limit(PAGE)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.sequence;
  }
}
