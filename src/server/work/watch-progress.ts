import { fail } from "../../domain/failure.ts";
import type { RunEnding } from "../../queue/job-worker.ts";
import type { Store } from "../../store/store.ts";
import { stepsOf } from "../../store/tasks.ts";

export interface Watch {
  store: Store;
  task: string;
  /** A task that records no step for so long hangs. */
  timeoutMs: number;
  /** The reason that the run's signal gets. */
  stopping: () => Error;
}

/**
 * Runs a task while it makes progress: that its worker lives does not say that its work goes on. One that hangs is stopped,
 * and fails.
 */
export async function watchProgress(
  { store, task, timeoutMs, stopping }: Watch,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<RunEnding>,
): Promise<RunEnding> {
  const hung = new AbortController();
  let seen = -1;
  let since = Date.now();
  const look = async () => {
    const steps = await stepsOf(store, task);
    if (steps !== seen) since = Date.now();
    else if (Date.now() - since >= timeoutMs) hung.abort(stopping());
    seen = steps;
  };
  // A database that is away is nobody's hanging: the next look counts.
  const timer = setInterval(() => void look().catch(() => {}), Math.max(1, timeoutMs / 20));
  try {
    const ending = await run(AbortSignal.any([signal, hung.signal]));
    if (!hung.signal.aborted || ending !== "stopped") return ending;
    const message = `no step was recorded within ${timeoutMs / 1000} s; raise queue.taskTimeout if its steps are that long`;
    throw fail("transient", "task.hangs", message);
  } finally {
    clearInterval(timer);
  }
}
