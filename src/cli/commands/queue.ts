import type { Command } from "commander";
import { fail } from "../../domain/failure.ts";
import { Owner } from "../../journal/claim.ts";
import type { JobQueue, WorkerView } from "../../queue/job-queue.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { age, count } from "../text/amounts.ts";
import { printable } from "../text/printable.ts";

const HELP = `
A task that failed, or lost its worker, five times in a row without recording a step is a dead letter: it waits until
you revive it.

Examples:
  miracle queue
  miracle queue revive t4f0c2a91`;

/** The team's queue: how much waits, who works, what was given up. */
export function define(command: Command, { terminal }: CommandContext): void {
  const write = (text: string) => terminal.output.write(`${printable(text)}\n`);
  const withQueue = async (use: (queue: JobQueue) => Promise<void>) => {
    await using opened = await openApp(terminal, terminal.directory);
    const report = (error: unknown) => void terminal.error.write(`${printable(String(error))}\n`);
    await using queue = await opened.app.openQueue(true, report);
    await use(queue);
  };

  command
    .option("--json", "as JSON")
    .addHelpText("after", HELP)
    .action(({ json }: { json?: boolean }) =>
      withQueue(async (queue) => {
        const [figures, workers, dead] = [await queue.figures(), await queue.workers(), await queue.deadLetters()];
        if (json) return void terminal.output.write(`${JSON.stringify({ ...figures, workers, deadLetters: dead })}\n`);
        const { ready, delayed, running, oldestMs } = figures;
        const oldest = oldestMs === null ? "" : `, the oldest entered ${age(oldestMs)}`;
        write(`${count(ready, "task")} waiting, ${delayed} to be tried later, ${running} running${oldest}`);
        if (figures.takeOvers > 0)
          write(`${count(figures.takeOvers, "task")} went on with another worker within a week`);
        for (const worker of workers) write(workerLine(worker));
        if (workers.length === 0) write("no worker: miracle worker starts one");
        for (const { job, why, at } of dead) write(`dead ${age(Date.now() - at)}: ${job.task}: ${why}`);
      }),
    );

  command
    .command("revive <task>")
    .helpOption("-h, --help", "show help")
    .description("try a dead letter again")
    .action((task: string) =>
      withQueue(async (queue) => {
        if (!(await queue.revive(task))) throw fail("invalid-input", "queue.letter", `there is no dead letter ${task}`);
        write(`${task} waits for its turn`);
      }),
    );
}

function workerLine({ name, labels, tasks }: WorkerView): string {
  const has = labels.length === 0 ? "" : ` (${labels.join(", ")})`;
  return `worker ${placeOf(name)}${has}: ${tasks.length === 0 ? "idle" : tasks.join(", ")}`;
}

/** Workers go by the name of their claims. */
function placeOf(name: string): string {
  const owner = Owner.safeParse(parsed(name)).data;
  return owner ? `${owner.pid} on ${owner.host}` : name;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
