import { Bus, isDelta } from "../bus/bus.ts";
import { News } from "../bus/news.ts";
import { newsOfEvent } from "./events/news-of-event.ts";
import { Directories } from "./work/directories.ts";
import { openWorker } from "./work/open-queue.ts";
import { openRepositories } from "./work/open-repositories.ts";
import type { RepositoryPlace } from "./work/repositories.ts";
import { type OpenWorkplace, type Workplace, Workplaces } from "./work/workplaces.ts";

export interface WorkerOptions {
  /** Paths by name. */
  directories: Record<string, string>;
  /** Git addresses that it works on, too. */
  repositories?: RepositoryPlace;
  /** Tasks at once. */
  concurrency: number;
  labels: string[];
  /** A task that records no step for so long is let go of. */
  taskTimeoutMs: number;
  /** For what concerns no directory. It stays the caller's. */
  home: Workplace;
  open: OpenWorkplace;
  /** Told how a task has ended. */
  tell(task: string, what: string): void;
  report(error: unknown): void;
}

/** Works on jobs of the team's queue. Disposing of it stops running tasks at a step, and gives them back. */
export async function work(options: WorkerOptions): Promise<AsyncDisposable> {
  const { concurrency, labels, taskTimeoutMs, home, open, tell, report } = options;
  const bus = new Bus();
  const repositories = await openRepositories(options.repositories, home.app.store, bus, report);
  const directories = Directories.open({ ...options.directories, ...repositories.paths });
  const news = await News.open(await home.app.openWire(report));
  bus.subscribe((message) => {
    if (isDelta(message)) return;
    for (const item of newsOfEvent(message)) news.tell(item);
    if (message.type === "task-settled") tell(message.task, message.outcome.status);
  });
  const places = new Workplaces(open, bus);
  const queue = await home.app.openQueue(true, report);
  const parts = { home: home.app, places, directories, parallel: concurrency, report, taskTimeoutMs };
  const worker = openWorker(parts, queue, labels);
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
