import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { TerminalFailure } from "../domain/failure.ts";
import { Stopped } from "../engine/hands/stop.ts";
import { readLent, workOnLent } from "../engine/plan/lent-todo.ts";
import type { Journal } from "../journal/journal.ts";
import type { LentLoan, Loans } from "../journal/loans.ts";
import { scratchUsers } from "../sandbox/identity.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { removeAbandoned } from "../workspace/scratch-directory.ts";
import type { RunOptions } from "./run-options.ts";
import { openCheckouts, openParts, type RunPlace } from "./run-to-end.ts";

/** How often the owner is told that this guest lives. */
const BEAT_MS = 2000;

/**
 * Works on a todo that the owner of its task lends, until the todo has ended, is called back, or cannot go on here. All
 * that is left of it is on the todo's strands: the owner goes on from there, whatever happened.
 */
export async function runAsGuest(
  place: RunPlace,
  { loans, loan }: { loans: Loans; loan: LentLoan },
  journal: Journal,
  sandbox: Sandbox,
  options: RunOptions,
): Promise<void> {
  const { task } = journal;
  const stop = new AbortController();
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  let isCalled = false;
  void (async () => {
    while (!ended.signal.aborted) {
      // A database that is away for a moment is seen by the steps.
      const beat = await loans.beat(loan).catch(() => undefined);
      if (beat === null) stop.abort(new Stopped("interrupted"));
      isCalled ||= beat?.isCalled === true;
      await sleep(BEAT_MS, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  })();
  const checkoutPrefix = `guest-${randomBytes(6).toString("hex")}.`;
  const { limits } = journal.frozen.settings;
  const { directories, checkoutOwner } = openCheckouts(place, journal);
  try {
    const run = { journal, sandbox, limits, signal, directories, checkoutOwner, checkoutPrefix };
    const parts = await openParts(place, run, options);
    await workOnLent(parts, readLent(loan.beginning, parts.languages), () => isCalled);
  } catch (error) {
    const isExpected = signal.aborted || error instanceof Stopped || error instanceof TerminalFailure;
    // Where the owner is on this machine, too, its end removes what this guest works in.
    const isOver = async () => (await loans.beat(loan).catch(() => undefined)) === null;
    if (!isExpected && !(await isOver())) throw error;
    // The owner meets what it was, too, and says it.
    const why = error instanceof Error ? error.message : String(error);
    place.bus.publish({ type: "notice", task, text: `${loan.strand} goes back to the worker that lent it: ${why}` });
  } finally {
    ended.abort();
    await sandbox[Symbol.asyncDispose]();
    directories.removeNamed(task, loan.claim.epoch, checkoutPrefix);
    removeAbandoned(scratchUsers());
  }
}
