import { applyTask } from "../../app/deliver-task.ts";
import type { App } from "../../app.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { appendEvent } from "../../journal/append-event.ts";
import { readFrozen } from "../../journal/journal.ts";
import type { Taken } from "../../queue/job.ts";
import type { RunEnding } from "../../queue/job-worker.ts";
import { findTask } from "../../store/tasks.ts";
import type { Workplaces } from "./workplaces.ts";

/** The person has something where the result would go, or the result is there already: to try again changes nothing. */
const FINAL = ["apply.conflict", "apply.nothing", "branch.exists", "branch.uncommitted", "branch.no-repository"];

/** Writes into the directory what a worker has made elsewhere, as the task was asked to. */
export async function deliverResult(
  places: Workplaces,
  home: App,
  { task }: Taken,
  signal: AbortSignal,
): Promise<RunEnding> {
  const summary = await findTask(home.store, task);
  const { app } = await places.at(summary.directory);
  const { branch } = (await readFrozen(await home.recording(task))).request;
  try {
    await applyTask(app, summary, { unproven: false, ...(branch !== undefined && { branch }) }, signal);
  } catch (error) {
    if (!(error instanceof TerminalFailure) || !FINAL.includes(error.failure.code)) throw error;
    const { code, message } = error.failure;
    const said = { type: "warning-raised", code, message: `not applied: ${message}` } as const;
    if (code === "apply.nothing") return "ended";
    const event = await home.store.write((tx) => appendEvent(tx, task, said, { at: Date.now() }));
    if (event) app.bus.publish(event);
  }
  return "ended";
}
