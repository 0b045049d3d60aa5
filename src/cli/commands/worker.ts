import { type Command, InvalidArgumentError } from "commander";
import { WishedLabels } from "../../queue/job.ts";
import { WORKER_ROLES, type WorkerRole } from "../../server/work/needs-of-task.ts";
import { work } from "../../server/worker.ts";
import { directoriesOf } from "../input/directories.ts";
import { collect } from "../input/options.ts";
import { openApp } from "../task/open-app.ts";
import type { CommandContext } from "../terminal/command-context.ts";
import { listenForInterrupts } from "../terminal/interrupts.ts";
import { EXIT } from "../text/exit-codes.ts";
import { printable } from "../text/printable.ts";

interface WorkerFlags {
  concurrency: number;
  labels?: string[];
  roles?: WorkerRole[];
  dir?: string[];
}

const HELP = `
Takes tasks from the team's queue (\`miracle serve --queue\` fills it) and works on them. It needs the team's database
(DATABASE_URL), keys of models, and a way to the trees: MIRACLE_TREES=http://SERVER:8000/trees with a token of scope work
in MIRACLE_TOKEN, or any git address (server.trees of the settings), or the server's own data directory (MIRACLE_HOME).
Results are written into directories by the server. \`miracle doctor --worker\` says what is missing. It takes only what
it can do: tasks of its format, of languages that it has, with labels that it was given. --dir narrows it to some
directories, and uses their settings. The todos of a plan are lent to workers that have nothing else to do. Ctrl-C or
SIGTERM gives running tasks back after their current step. One that is killed is missed after 15 seconds: another one
goes on from the last step.

Examples:
  miracle worker --concurrency 4
  miracle worker --roles todos        # only helps others with their plans
  MIRACLE_TREES=https://miracle.example/trees MIRACLE_TOKEN=mt_… miracle worker --labels gpu,docker`;

export function define(command: Command, { terminal, finish }: CommandContext): void {
  command
    .option("--concurrency <n>", "tasks at once", concurrency, 1)
    .option("--labels <list>", "what this machine has: takes also tasks that ask for it", labels)
    .option("--roles <list>", "what it takes: tasks, todos that others lend, or both (default)", roles)
    .option("--dir <[name=]path>", "only for this directory, with its settings (may be repeated)", collect)
    .addHelpText("after", HELP)
    .action(async (flags: WorkerFlags) => {
      await using home = await openApp(terminal, terminal.directory);
      const say = (text: string) => terminal.error.write(`${printable(text)}\n`);
      using interrupts = listenForInterrupts(() => say("stopping: running tasks are given back at a step"));
      const directories = flags.dir === undefined ? null : directoriesOf(flags.dir, {}, terminal.directory);
      await using _working = await work({
        directories,
        concurrency: flags.concurrency,
        labels: flags.labels ?? [],
        roles: flags.roles ?? WORKER_ROLES,
        taskTimeoutMs: home.config.team.taskTimeoutMs,
        home,
        open: (directory) => openApp(terminal, directory),
        at: terminal.directory,
        env: terminal.env,
        tell: (task, what) => say(`${task}: ${what}`),
        report: (error) => say(`miracle: ${error instanceof Error ? error.message : String(error)}`),
      });
      const whose = directories === null ? "all directories" : Object.keys(directories).join(", ");
      terminal.output.write(printable(`worker ${process.pid} takes tasks for ${whose}`));
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

function roles(text: string): WorkerRole[] {
  const wanted = text.split(",").map((word) => word.trim());
  const known = WORKER_ROLES.filter((role) => wanted.includes(role));
  if (known.length !== new Set(wanted).size) throw new InvalidArgumentError("expected tasks, todos, or tasks,todos");
  return known;
}

function labels(text: string): string[] {
  const parsed = WishedLabels.safeParse(text.split(",").map((label) => label.trim()));
  if (!parsed.success) throw new InvalidArgumentError("expected words like gpu,docker");
  return parsed.data;
}
