import type { RunEnd, RunOptions } from "../app/run-options.ts";
import type { OpenedApp } from "../app.ts";
import type { Bus } from "../bus/bus.ts";
import { fail } from "../domain/failure.ts";
import { Stopped, type StopReason } from "../engine/hands/stop.ts";

/** A run that did not even end as runs do has broken: an error of our own. */
type LiveEnd = RunEnd | { ended: "broken"; error: unknown };

/** A task while this process works on it. */
export interface LiveRun {
  task: string;
  bus: Bus;
  /** At its result, at a question, or because it was stopped. It never rejects. */
  ended: Promise<LiveEnd>;
  /** It stops at the next step; what was done is kept. */
  stop(reason: StopReason): void;
}

/** Starts or resumes a task in the opened app. */
type Begin = (opened: OpenedApp, options: RunOptions) => Promise<RunEnd>;

/**
 * What this process works on, on behalf of one client.
 *
 * Invariants:
 * 1. One task at a time: a client cannot start any number of them.
 * 2. What the client has not begun itself is not its own, also where it resumed it.
 * 3. A question stops the run: nobody sits here, so it waits until it is answered, and nothing is allowed silently.
 */
export class Runs implements AsyncDisposable {
  #work: { task: string; stop: AbortController; ended: Promise<LiveEnd> } | undefined;
  #live: LiveRun | undefined;
  readonly #own = new Set<string>();

  /** The run of this task, if there is one. */
  of(task: string): LiveRun | undefined {
    return this.#live?.task === task ? this.#live : undefined;
  }

  /** The client wanted this task, and nobody else did. */
  isOwn(task: string): boolean {
    return this.#own.has(task);
  }

  /** A task that is new. */
  async beginNew(open: () => Promise<OpenedApp>, begin: Begin): Promise<LiveRun> {
    const run = await this.begin(open, begin);
    this.#own.add(run.task);
    return run;
  }

  /** Resolves when the task has its id. The app is opened for this run, and closed when it has ended. */
  async begin(open: () => Promise<OpenedApp>, begin: Begin): Promise<LiveRun> {
    if (this.#work) throw busy(this.#work.task);
    const stop = new AbortController();
    const begun = Promise.withResolvers<{ task: string; bus: Bus }>();
    const run = async (): Promise<RunEnd> => {
      await using opened = await open();
      const { app, config } = opened;
      return await begin(opened, {
        signal: stop.signal,
        hooks: config.hooks,
        approve: { subjects: [], words: "miracle mcp", wait: true, findings: false },
        onTask: (task) => begun.resolve({ task, bus: app.bus }),
      });
    };
    const ended = run().catch((error: unknown): LiveEnd => ({ ended: "broken", error }));
    const work = { task: "", stop, ended };
    this.#work = work;
    void ended.then((end) => {
      this.#work = undefined;
      this.#live = undefined;
      // What is wrong before there is a task is told to whoever wanted it.
      begun.reject(end.ended === "broken" ? end.error : new Error("the run has ended before it began"));
    });
    const { task, bus } = await begun.promise;
    work.task = task;
    const live = { task, bus, ended, stop: (reason: StopReason) => stop.abort(new Stopped(reason)) };
    if (this.#work === work) this.#live = live;
    return live;
  }

  /** The client has left: what runs pauses at its next step, and can be resumed from anywhere. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#work?.stop.abort(new Stopped("interrupted"));
    await this.#work?.ended;
  }
}

function busy(task: string) {
  const what = task === "" ? "a task is about to begin" : `task ${task} is being worked on`;
  return fail("invalid-input", "task.live", `${what}: wait for it (task), or end it (stop)`);
}
