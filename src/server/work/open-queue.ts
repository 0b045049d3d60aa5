import type { RunOptions } from "../../app/run-options.ts";
import { type Helpers, TodoLending } from "../../app/todo-lending.ts";
import type { App } from "../../app.ts";
import { Stopped } from "../../engine/hands/stop.ts";
import { thisProcess } from "../../journal/claim.ts";
import { canDo, type Taken, type Worker } from "../../queue/job.ts";
import type { JobQueue } from "../../queue/job-queue.ts";
import { JobWorker } from "../../queue/job-worker.ts";
import { deliverResult } from "./deliver-result.ts";
import type { Directories } from "./directories.ts";
import { needsOfTask, needsOfTodo } from "./needs-of-task.ts";
import { PromisedQueue } from "./promised-queue.ts";
import { type Keepers, Promises } from "./promises.ts";
import type { Queue } from "./queue.ts";
import { watchProgress } from "./watch-progress.ts";
import { helpWith, type Workplaces, workOn } from "./workplaces.ts";

export interface WorkParts {
  home: App;
  places: Workplaces;
  directories: Directories;
  parallel: number;
  report(error: unknown): void;
  /** A task that records no step for so long hangs; absent: nobody looks. */
  taskTimeoutMs?: number;
}

/** How often a server looks for promises that others made and do not keep. */
const SERVERS_LOOK_MS = 2000;

/** Only who is killed while it makes a promise leaves one that is not in the queue. */
const WORKERS_LOOK_MS = 60_000;

/** How often a worker looks for jobs. */
const JOBS_LOOK_MS = 1000;

export interface OpenedQueue {
  queue: Queue;
  jobs: JobQueue;
  /** What workers have done is delivered by it; absent: this server does the work itself. */
  deliveries?: Queue;
}

/** What a server does with the tasks it is asked for: works on them itself, or leaves them to the team's workers. */
export async function openQueue(parts: WorkParts, isForWorkers: boolean): Promise<OpenedQueue> {
  const { home, report, directories } = parts;
  const { store } = home;
  const jobs = await home.openQueue(isForWorkers, report);
  const lookMs = SERVERS_LOOK_MS;
  const able = { labels: [], projects: directories.paths };
  if (!isForWorkers) {
    const worker = openWorker(parts, jobs, able, { work: workOn, keepers: "servers", lookMs });
    return { jobs, queue: new PromisedQueue({ store, jobs, keepers: "servers", worker, report, lookMs }) };
  }
  const needsOf = (task: string) => needsOfTask(home, task);
  const queue = new PromisedQueue({ store, jobs, keepers: "workers", needsOf, report, lookMs: WORKERS_LOOK_MS });
  const done = await home.openQueue(false, report);
  const worker = openWorker(parts, done, able, { work: deliverResult, keepers: "deliverers", lookMs });
  return {
    jobs,
    queue,
    deliveries: new PromisedQueue({ store, jobs: done, keepers: "deliverers", worker, report, lookMs }),
  };
}

/** What a worker of the team's queue does. */
const TEAM = { work: workOn, keepers: "workers", lookMs: JOBS_LOOK_MS } as const;

/** Does jobs of a queue, of these projects and with these labels. */
export function openWorker(
  parts: WorkParts,
  queue: JobQueue,
  able: Omit<Worker, "name">,
  { work, keepers, lookMs }: { work: typeof workOn; keepers: Keepers; lookMs: number } = TEAM,
): JobWorker {
  const { home, places, parallel, report, taskTimeoutMs } = parts;
  const stopping = () => new Stopped("interrupted");
  const promises = new Promises(home.store);
  // The name is that of the task's claim, so that whoever takes a job over knows whose claim it may take.
  const worker = { name: JSON.stringify(thisProcess()), ...able };
  return new JobWorker({
    queue,
    worker,
    concurrency: parallel,
    run: (job, signal) => {
      const { todo } = job;
      if (todo !== undefined) return helpWith(places, home, { ...job, todo }, signal);
      const lend: RunOptions["lend"] = (lending) =>
        new TodoLending({ ...lending, helpers: helpersOf(queue, worker, job, home.version) });
      const run = (until: AbortSignal) => work(places, home, job, until, keepers === "workers" ? lend : undefined);
      const watch = { store: home.store, task: job.task, stopping };
      const watched = () =>
        taskTimeoutMs === undefined ? run(signal) : watchProgress({ ...watch, timeoutMs: taskTimeoutMs }, signal, run);
      return promises.keep(keepers, job, watched, report);
    },
    stopping,
    report,
    lookMs,
  });
}

/** The other workers of the team that could take todos of this job: those that do nothing else. */
function helpersOf(
  queue: JobQueue,
  { name }: Worker,
  { lease: _, before: __, ...task }: Taken,
  version: string,
): Helpers {
  const jobOf = (language: string) => ({ ...task, labels: needsOfTodo(task.labels, { language, version }) });
  return {
    count: async (language) => {
      const job = jobOf(language);
      const free = (await queue.workers()).filter(
        (other) =>
          other.name !== name &&
          other.tasks.every((task) => task === job.task) &&
          canDo({ labels: other.labels, projects: null }, job),
      );
      return free.length;
    },
    enter: (strand, language) => queue.enqueue({ ...jobOf(language), todo: strand }),
  };
}
