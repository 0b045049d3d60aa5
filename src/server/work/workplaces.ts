import { isWorkedOn } from "../../app/worked-on.ts";
import type { App } from "../../app.ts";
import type { Bus } from "../../bus/bus.ts";
import type { ConfigFlags } from "../../config/flags.ts";
import type { Configuration } from "../../config/load-config.ts";
import { fail } from "../../domain/failure.ts";
import { heldForTask } from "../../journal/approvals.ts";
import { findTask } from "../../store/tasks.ts";
import type { Directories } from "./directories.ts";
import type { Purpose } from "./queue.ts";

/** An app with the settings, keys and secrets of one directory. */
export interface Workplace extends AsyncDisposable {
  app: App;
  config: Configuration;
}

export type OpenWorkplace = (directory: string, flags?: ConfigFlags) => Promise<Workplace>;

/** One workplace for each directory, opened when it is first needed. Their events pass by on one bus. */
export class Workplaces implements AsyncDisposable {
  readonly #open: OpenWorkplace;
  readonly #bus: Bus;
  readonly #opened = new Map<string, Promise<Workplace>>();

  constructor(open: OpenWorkplace, bus: Bus) {
    this.#open = open;
    this.#bus = bus;
  }

  at(directory: string): Promise<Workplace> {
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
 * Goes on with a task that was promised. Nobody sits here: questions wait until they are answered from somewhere. False:
 * the task is of a directory that this server does not work for.
 */
export async function workOn(
  places: Workplaces,
  directories: Directories,
  home: App,
  job: { task: string; purpose: Purpose; signal: AbortSignal },
): Promise<boolean> {
  const { task, purpose, signal } = job;
  const { directory } = await findTask(home.store, task);
  if (directories.nameOf(directory) === undefined) return false;
  // Another server of this database may have been quicker. To try the claim would be a write at each look.
  if (await isWorkedOn(home.store, task)) {
    throw fail("invalid-input", "task.live", `task ${task} is being worked on by another process`);
  }
  const { app, config } = await places.at(directory);
  const { subjects, by } = await heldForTask(home.store, task);
  await app.resume(
    task,
    {},
    {
      signal,
      hooks: config.hooks,
      approve: { subjects, words: `allowed for this task by ${by.join(", ")}`, wait: true, findings: false },
      ...(purpose === "plan" && { planOnly: true }),
    },
  );
  return true;
}
