import { type Command, InvalidArgumentError } from "commander";
import { Job } from "../../queue/job.ts";
import { work } from "../../server/worker.ts";
import { directoriesOf, repositoriesOf } from "../input/directories.ts";
import { collect } from "../input/options.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { EXIT } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";

interface WorkerFlags {
  concurrency: number;
  labels?: string[];
  dir?: string[];
}

const HELP = `
Takes tasks from the team's queue (\`miracle serve --queue\` fills it) and works on them, for the directories of --dir, or
of server.directories in your settings, or the one where you are. All workers need the same database (DATABASE_URL), and
for now the same files: the directories, and the data directory (MIRACLE_HOME). Ctrl-C or SIGTERM gives running tasks
back after their current step. One that is killed is missed after 15 seconds: another one goes on from the last step.

Examples:
  miracle worker --concurrency 4
  miracle worker --dir ~/shop --labels gpu,docker`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--concurrency <n>", "tasks at once", concurrency, 1)
    .option("--labels <list>", "what this machine has: takes also tasks that ask for it", labels)
    .option("--dir <[name=]path>", "work for this directory (may be repeated)", collect)
    .addHelpText("after", HELP)
    .action(async (flags: WorkerFlags) => {
      await using home = await openApp(terminal, terminal.directory);
      const { server } = home.config;
      const say = (text: string) => terminal.error.write(`${printable(text)}\n`);
      using interrupts = listenForInterrupts(() => say("stopping: running tasks are given back at a step"));
      const directories = directoriesOf(flags.dir, server.directories, terminal.directory, server.repositories);
      await using _working = await work({
        directories,
        repositories: repositoriesOf(terminal, server.repositories),
        concurrency: flags.concurrency,
        labels: flags.labels ?? [],
        taskTimeoutMs: home.config.team.taskTimeoutMs,
        home,
        open: (directory) => openApp(terminal, directory),
        tell: (task, what) => say(`${task}: ${what}`),
        report: (error) => say(`miracle: ${error instanceof Error ? error.message : String(error)}`),
      });
      const names = Object.keys({ ...directories, ...server.repositories });
      terminal.output.write(printable(`worker ${process.pid} takes tasks for ${names.join(", ")}`));
      terminal.output.write("\n");
      const stopped = Promise.withResolvers<void>();
      interrupts.signal.addEventListener("abort", () => stopped.resolve(), { once: true });
      if (!interrupts.signal.aborted) await stopped.promise;
      finish(EXIT.done);
    });
}

function concurrency(text: string): number {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > 64) throw new InvalidArgumentError("expected a number from 1 to 64");
  return number;
}

function labels(text: string): string[] {
  const parsed = Job.shape.labels.safeParse(text.split(",").map((label) => label.trim()));
  if (!parsed.success) throw new InvalidArgumentError("expected words like gpu,docker");
  return parsed.data;
}
