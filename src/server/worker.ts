import type { OpenedApp } from "../app.ts";
import { Bus, isDelta } from "../bus/bus.ts";
import { News } from "../bus/news.ts";
import { newsOfEvent } from "./events/news-of-event.ts";
import { Directories } from "./work/directories.ts";
import type { WorkerRole } from "./work/needs-of-task.ts";
import { openWorker } from "./work/open-queue.ts";
import { ownLabels } from "./work/own-labels.ts";
import { type OpenWorkplace, Workplaces } from "./work/workplaces.ts";

export interface WorkerOptions {
  /** Paths by name: it takes tasks of these directories, with their settings. Null: of all, with its own settings. */
  directories: Record<string, string> | null;
  /** Tasks at once. */
  concurrency: number;
  labels: string[];
  roles: readonly WorkerRole[];
  /** A task that records no step for so long is let go of. */
  taskTimeoutMs: number;
  /** For what concerns no directory. It stays the caller's. */
  home: OpenedApp;
  open: OpenWorkplace;
  /** The directory whose settings count for tasks of all directories. */
  at: string;
  env: Record<string, string | undefined>;
  /** Told how a task has ended. */
  tell(task: string, what: string): void;
  report(error: unknown): void;
}

/** Works on jobs of the team's queue. Disposing of it stops running tasks at a step, and gives them back. */
export async function work(options: WorkerOptions): Promise<AsyncDisposable> {
  const { concurrency, taskTimeoutMs, home, open, tell, report } = options;
  const directories = Directories.open(options.directories ?? {});
  const bus = new Bus();
  const news = await News.open(await home.app.openWire(report));
  bus.subscribe((message) => {
    if (isDelta(message)) return;
    for (const item of newsOfEvent(message)) news.tell(item);
    if (message.type === "task-settled") tell(message.task, message.outcome.status);
  });
  const places = new Workplaces(open, bus, options.directories === null ? options.at : null);
  const queue = await home.app.openQueue(true, report);
  const parts = { home: home.app, places, directories, parallel: concurrency, report, taskTimeoutMs };
  const projects = options.directories === null ? null : directories.paths;
  const labels = [
    ...new Set([...options.labels, ...ownLabels({ ...options, version: home.app.version }), ...options.roles]),
  ];
  const worker = openWorker(parts, queue, { labels, projects });
  worker.start();
  return {
    [Symbol.asyncDispose]: async () => {
      await worker.stop();
      await queue[Symbol.asyncDispose]();
      await places[Symbol.asyncDispose]();
      await news[Symbol.asyncDispose]();
    },
  };
}
