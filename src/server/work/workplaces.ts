import type { RunOptions, RunPolicy } from "../../app/run-options.ts";
import { isOwned } from "../../app/worked-on.ts";
import type { App, OpenedApp } from "../../app.ts";
import type { Bus } from "../../bus/bus.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import { fail, TerminalFailure } from "../../domain/failure.ts";
import { heldForTask } from "../../journal/approvals.ts";
import type { Taken } from "../../queue/job.ts";
import type { RunEnding } from "../../queue/job-worker.ts";
import type { Store } from "../../store/store.ts";

export type OpenWorkplace = (directory: string, flags?: ConfigFlags) => Promise<OpenedApp>;

/** One workplace for each directory, opened when it is first needed. Their events pass by on one bus. */
export class Workplaces implements AsyncDisposable {
  readonly #open: OpenWorkplace;
  readonly #bus: Bus;
  /** The only place there is, where no directory has its own. */
  readonly #only: string | null;
  readonly #opened = new Map<string, Promise<OpenedApp>>();

  constructor(open: OpenWorkplace, bus: Bus, only: string | null = null) {
    this.#open = open;
    this.#bus = bus;
    this.#only = only;
  }

  at(wanted: string): Promise<OpenedApp> {
    const directory = this.#only ?? wanted;
    const known = this.#opened.get(directory);
    if (known) return known;
    const opening = this.#open(directory).then((place) => {
      place.app.bus.subscribe((message) => this.#bus.publish(message));
      return place;
    });
    this.#opened.set(directory, opening);
    // A mistake in the settings may be mended while the server runs.
    opening.catch(() => this.#opened.delete(directory));
    return opening;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const place of await Promise.allSettled(this.#opened.values())) {
      if (place.status === "fulfilled") await place.value[Symbol.asyncDispose]();
    }
  }
}

/**
 * Goes on with a task that was promised. Nobody sits here: questions wait until they are answered from somewhere. A worker
 * that had the job before and lost its lease loses the task's claim, too: what it still writes is refused.
 */
export async function workOn(
  places: Workplaces,
  home: App,
  job: Taken,
  signal: AbortSignal,
  lend?: RunOptions["lend"],
): Promise<RunEnding> {
  const { task, purpose, before } = job;
  const { directory, owner } = await ownedTask(home.store, task);
  const takeOver = owner !== null && before.includes(owner);
  // Another process of this database may have been quicker. To try the claim would be a write at each look.
  if (!takeOver && isOwned(owner)) return "busy";
  const { app, config } = await places.at(directory);
  const end = await app.resume(
    task,
    {},
    {
      signal,
      takeOver,
      hooks: config.hooks,
      approve: await approvedFor(home.store, task),
      ...(purpose === "plan" && { planOnly: true }),
      ...(lend && { lend }),
    },
  );
  // The database or the trees were away. That is no end: it is tried again later, and no person has to see to it.
  if (end.ended === "failed" && /^(store|trees)\./.test(end.failure.code)) throw new TerminalFailure(end.failure);
  return signal.aborted && end.ended === "stopped" ? "stopped" : "ended";
}

/** Works on a todo that another worker lends. Whatever comes of it, that worker goes on with it. */
export async function helpWith(
  places: Workplaces,
  home: App,
  { task, todo }: Taken & { todo: string },
  signal: AbortSignal,
): Promise<RunEnding> {
  const { directory } = await ownedTask(home.store, task);
  const { app, config } = await places.at(directory);
  await app.help(task, todo, { signal, hooks: config.hooks, approve: await approvedFor(home.store, task) });
  return "ended";
}

async function approvedFor(store: Store, task: string): Promise<RunPolicy> {
  const { subjects, by } = await heldForTask(store, task);
  return { subjects, words: `allowed for this task by ${by.join(", ")}`, wait: true, findings: false };
}

async function ownedTask(store: Store, task: string): Promise<{ directory: string; owner: string | null }> {
  const row = await store.read
    .selectFrom("tasks")
    .select(["directory", "owner"])
    .where("id", "=", task)
    .executeTakeFirst();
  if (!row) throw fail("invalid-input", "task.unknown", `there is no task ${task}`);
  return row;
}
