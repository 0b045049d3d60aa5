import { setTimeout as sleep } from "node:timers/promises";
import { readTestNeeds, testNeedsOf } from "../config/test-needs.ts";
import { TerminalFailure } from "../domain/failure.ts";
import type { Limits } from "../domain/settings/settings.ts";
import { runsInPlace } from "../domain/settings/settings.ts";
import { systemFailure } from "../domain/system-failure.ts";
import type { EngineParts } from "../engine/hands/parts.ts";
import { Stopped } from "../engine/hands/stop.ts";
import { runTask } from "../engine/run-task.ts";
import { pauseTask } from "../journal/claim.ts";
import type { Journal } from "../journal/journal.ts";
import { redactor } from "../journal/redact.ts";
import { droppedIdentity, scratchUsers } from "../sandbox/identity.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Store } from "../store/store.ts";
import { readWish } from "../store/tasks.ts";
import type { ArtifactStore } from "../workspace/artifact-store.ts";
import { CheckoutDirectories } from "../workspace/checkout-directory.ts";
import { removeAbandoned } from "../workspace/scratch-directory.ts";
import { engineParts, type OneRun, type Shared } from "./engine-parts.ts";
import { removeCheckouts } from "./remove-checkouts.ts";
import type { RunEnd, RunOptions } from "./run-options.ts";
import { timeAtWork } from "./time-at-work.ts";
import { watchSilence } from "./watchdog.ts";

/** What this process offers a run. */
export interface RunPlace extends Omit<Shared, "artifacts"> {
  /** Called inside the run, so that its errors count as the end of the run. */
  openArtifacts(task: string): Promise<ArtifactStore>;
  /** Variables that the server of the directory lent for the tests. Their secrets are among `secrets`. */
  lent: Record<string, string>;
  /** Undoes the effects of a cancelled task outside of its store. */
  takeBack(task: string): Promise<void>;
  /** Keeps what the roles made beside the code. */
  keepReports(journal: Journal): Promise<void>;
}

/** Another process may ask to pause or cancel. This is how often we look. */
const WISH_MS = 500;

/** A timer with a longer delay would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Lets the engine work on a claimed task until the task has an outcome, is stopped, or fails. Then it cleans up. */
export async function runToEnd(
  place: RunPlace,
  journal: Journal,
  sandbox: Sandbox,
  limits: Limits,
  options: RunOptions,
): Promise<RunEnd> {
  const { task } = journal;
  options.onTask?.(task);
  const watch = new AbortController();
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const began = Date.now();
  // The limit is the task's: what earlier runs took is gone.
  const taken = (journal.claim?.epoch ?? 1) > 1 ? await timeAtWork(place.store, task) : 0;
  const outOfTime = () => stop.abort(new Stopped("timeout"));
  const timer = setTimeout(outOfTime, Math.min(Math.max(1, limits.timeoutMs - taken), LONGEST_TIMER_MS));
  if (taken >= limits.timeoutMs) outOfTime();
  using _watchdog = watchSilence({
    ...place,
    task,
    silenceMs: limits.silenceMs ?? limits.timeoutMs,
    onSilent: () => stop.abort(new Stopped("silent")),
  });
  void watchWishes(place.store, task, stop, watch.signal);
  let directories: CheckoutDirectories | undefined;
  try {
    const owned = openCheckouts(place, journal);
    directories = owned.directories;
    const parts = await openParts(place, { journal, sandbox, limits, signal, ...owned }, options);
    const outcome = await runTask(parts);
    // The verdict stands whatever becomes of them: `show --artifacts` makes them anew.
    await place.keepReports(journal).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      place.bus.publish({ type: "notice", task, text: `the reports are not in the artifact store (${why})` });
    });
    return { task, ended: "settled", outcome };
  } catch (error) {
    return await endWithoutOutcome(place, journal, signal, error, Date.now() - began);
  } finally {
    watch.abort();
    clearTimeout(timer);
    await sandbox[Symbol.asyncDispose]();
    removeCheckouts(directories, task, journal.claim?.epoch ?? 0, place.bus);
    removeAbandoned(scratchUsers());
  }
}

/** Where the checkouts of a run are, and whose. */
export function openCheckouts({ dataDirectory }: RunPlace, { frozen }: Journal) {
  const checkoutOwner = runsInPlace(frozen.settings.sandbox.backend) ? null : droppedIdentity();
  return { checkoutOwner, directories: CheckoutDirectories.open(dataDirectory, checkoutOwner) };
}

/** The parts of the engine, with the trees and the test needs of the task. */
export async function openParts(
  place: RunPlace,
  run: Omit<OneRun, "needs">,
  options: RunOptions,
): Promise<EngineParts> {
  const { journal, signal } = run;
  const artifacts = await place.openArtifacts(journal.task);
  const { base, directory } = journal.frozen.request;
  const needs = base
    ? testNeedsOf((path) => artifacts.readFile(base.tree, path), place.lent)
    : readTestNeeds(directory);
  const owned = { ...run, journal: journal.withSignal(signal), needs: await needs };
  return engineParts({ ...place, artifacts }, owned, options);
}

/** The task stays resumable in any case. Only errors that we cannot explain are thrown on. */
async function endWithoutOutcome(
  { store, bus, secrets, takeBack }: RunPlace,
  journal: Journal,
  signal: AbortSignal,
  error: unknown,
  ranMs: number,
): Promise<RunEnd> {
  const { task, claim } = journal;
  const stopped = signal.aborted ? signal.reason : error;
  const reason = stopped instanceof Stopped ? stopped.reason : undefined;
  const failure = error instanceof TerminalFailure ? error.failure : systemFailure(error);
  const waits = !signal.aborted && stopped instanceof Stopped ? stopped.message : undefined;
  const why = signal.aborted ? (reason ?? "interrupted") : (waits ?? failure?.message ?? "an error of Miracle's own");
  const redacted = String(redactor(secrets)(why));
  if (claim) {
    const status = reason === "cancelled" ? "cancelled" : "paused";
    // If this fails (full disk, task taken over by another process), the end of the run is still reported.
    await pauseTask(store, claim, { status, reason: redacted, at: Date.now(), ranMs }).catch(() => {});
    if (status === "cancelled") {
      await takeBack(task).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        const text = `what task ${task} wrote is not taken back yet (${why}); miracle cancel ${task} does it`;
        bus.publish({ type: "notice", task, text });
      });
    }
  }
  if (waits !== undefined && reason) return { task, ended: "stopped", reason, why: redacted };
  if (signal.aborted) return { task, ended: "stopped", reason: reason ?? "interrupted" };
  if (failure) return { task, ended: "failed", failure };
  throw error;
}

async function watchWishes(store: Store, task: string, stop: AbortController, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await sleep(WISH_MS, undefined, { signal: ended, ref: false }).catch(() => {});
    if (ended.aborted) return;
    const wish = await readWish(store, task).catch(() => null);
    if (wish === "pause") stop.abort(new Stopped("paused"));
    if (wish === "cancel") stop.abort(new Stopped("cancelled"));
  }
}
