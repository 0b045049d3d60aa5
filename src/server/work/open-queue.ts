import type { App } from "../../app.ts";
import { Stopped } from "../../engine/hands/stop.ts";
import { thisProcess } from "../../journal/claim.ts";
import type { JobQueue } from "../../queue/job-queue.ts";
import { JobWorker } from "../../queue/job-worker.ts";
import type { Directories } from "./directories.ts";
import { PromisedQueue } from "./promised-queue.ts";
import { Promises } from "./promises.ts";
import type { Queue } from "./queue.ts";
import { watchProgress } from "./watch-progress.ts";
import { type Workplaces, workOn } from "./workplaces.ts";

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

/** What a server does with the tasks it is asked for: works on them itself, or leaves them to the team's workers. */
export async function openQueue(parts: WorkParts, isForWorkers: boolean): Promise<{ queue: Queue; jobs: JobQueue }> {
  const { home, report } = parts;
  const { store } = home;
  const jobs = await home.openQueue(isForWorkers, report);
  if (isForWorkers) {
    return { jobs, queue: new PromisedQueue({ store, jobs, keepers: "workers", report, lookMs: WORKERS_LOOK_MS }) };
  }
  const lookMs = SERVERS_LOOK_MS;
  const worker = openWorker(parts, jobs, [], lookMs);
  return { jobs, queue: new PromisedQueue({ store, jobs, keepers: "servers", worker, report, lookMs }) };
}

/** Works on the jobs of a queue, for the directories of this process. */
export function openWorker(parts: WorkParts, queue: JobQueue, labels: string[], lookMs = JOBS_LOOK_MS): JobWorker {
  const { home, places, directories, parallel, report, taskTimeoutMs } = parts;
  const stopping = () => new Stopped("interrupted");
  const promises = new Promises(home.store);
  return new JobWorker({
    queue,
    // The name is that of the task's claim, so that whoever takes a job over knows whose claim it may take.
    worker: { name: JSON.stringify(thisProcess()), labels, projects: directories.paths },
    concurrency: parallel,
    run: (job, signal) => {
      const run = (until: AbortSignal) => workOn(places, home, job, until);
      const watch = { store: home.store, task: job.task, stopping };
      const watched = () =>
        taskTimeoutMs === undefined ? run(signal) : watchProgress({ ...watch, timeoutMs: taskTimeoutMs }, signal, run);
      return promises.keep(job, watched, report);
    },
    stopping,
    report,
    lookMs,
  });
}
