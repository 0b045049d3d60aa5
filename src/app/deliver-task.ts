import { fail } from "../domain/failure.ts";
import type { TaskSummary } from "../domain/task/task.ts";
import { applyResult, type DeliveryParts, undoResult } from "../engine/delivery/apply-result.ts";
import { branchResult, undoBranch } from "../engine/delivery/deliver-branch.ts";
import {
  type DeliveryStep,
  deliverySteps,
  isDelivered,
  nextStrand,
  outstanding,
} from "../engine/delivery/delivery-steps.ts";
import { Run } from "../engine/hands/run.ts";
import { releaseTask } from "../journal/claim.ts";
import { readFrozen } from "../journal/journal.ts";
import type { Recording } from "../journal/recording.ts";
import type { Store } from "../store/store.ts";
import { recordedTask } from "../verify/evidence/recorded-task.ts";
import type { FinishedResult, MergedResult } from "./merge-result.ts";

/** What a delivery needs of the app. */
export interface DeliveringApp {
  store: Store;
  recording(task: string): Promise<Recording>;
  claim(task: string, signal: AbortSignal): Promise<DeliveryParts>;
}

export interface ApplyRequest {
  /** Also a result that is not proven. */
  unproven: boolean;
  /** Also the tests that the coder did not see, where they passed. */
  keepTests?: boolean;
  /** Merges it with what the person changed since, and judges what comes of it. */
  merge?: ((finished: FinishedResult) => Promise<MergedResult>) | undefined;
  /** Make this branch of it instead of writing the files. */
  branch?: string;
}

/** Writes a finished task's result into its directory, as steps of the task, so that `undo` and a crash are covered. */
export async function applyTask(
  app: DeliveringApp,
  task: TaskSummary,
  { unproven, branch, keepTests = false, merge }: ApplyRequest,
  signal: AbortSignal,
): Promise<void> {
  const { id, status, baseTree, resultTree } = task;
  if (baseTree === null || resultTree === null) throw nothing(id, "has no result");
  if (status !== "proven" && status !== "checked" && !unproven) {
    const message = `task ${id} is ${status}; --unproven applies its result all the same`;
    throw fail("policy", "apply.unproven", message);
  }
  const recording = await app.recording(id);
  const steps = await deliverySteps(recording);
  const shown = await recordedTask(recording, await readFrozen(recording));
  const full = shown.tidied?.full ?? null;
  if (keepTests && full === null) throw nothing(id, "has no unseen tests to keep");
  const result = (keepTests ? full : null) ?? resultTree;
  if (branch !== undefined) {
    const wanted = { branch, base: baseTree, result };
    await asStepOf(app, task, nextStrand(steps, "apply", "branch"), signal, (run) => branchResult(run, wanted, shown));
    return;
  }
  if (merge) {
    const merged = await merge({
      base: baseTree,
      result,
      full: full ?? result,
      language: shown.spec?.language ?? null,
    });
    await asStepOf(app, task, nextStrand(steps, "apply", "apply"), signal, (run) =>
      applyResult(run, merged.now, merged.tree),
    );
    return;
  }
  const delivered = await deliveredTree(steps, recording);
  if (delivered !== null && (!keepTests || delivered === result)) throw nothing(id, "is applied already");
  // One delivery stands at a time, so that one `undo` takes all of it back.
  if (delivered !== null) await undoTask(app, task, false, signal);
  const now = delivered === null ? steps : await deliverySteps(await app.recording(id));
  await asStepOf(app, task, nextStrand(now, "apply", "apply"), signal, (run) => applyResult(run, baseTree, result));
}

/** The result that stands in the directory; null where none does. */
async function deliveredTree(steps: DeliveryStep[], recording: Recording): Promise<string | null> {
  if (!isDelivered(steps)) return null;
  const last = (await outstanding(steps, recording)).find(({ kind }) => kind === "apply");
  return last?.kind === "apply" ? last.intent.result : null;
}

/** Takes back the last delivery that still stands, files or a branch, also one that was cut off. */
export async function undoTask(
  app: DeliveringApp,
  task: TaskSummary,
  force: boolean,
  signal: AbortSignal,
): Promise<void> {
  const recording = await app.recording(task.id);
  const steps = await deliverySteps(recording);
  const [last] = await outstanding(steps, recording);
  if (!last) throw nothing(task.id, steps.length === 0 ? "was never applied" : "was taken back already");
  await asStepOf(app, task, nextStrand(steps, "undo"), signal, (run) =>
    last.kind === "apply"
      ? undoResult(run, last.intent, force ? "force" : "refuse")
      : undoBranch(run, last.intent, "refuse"),
  );
}

/** Whether something of a task stands in the directory or as a branch, which `undo` would take back. */
export async function isOutstanding(app: DeliveringApp, { id }: TaskSummary): Promise<boolean> {
  const recording = await app.recording(id);
  return (await outstanding(await deliverySteps(recording), recording)).length > 0;
}

/** The result of a task that is not in its directory; undefined when it is, or when there is none. */
export async function unappliedResult(
  app: DeliveringApp,
  { id, resultTree }: TaskSummary,
): Promise<string | undefined> {
  const applied = isDelivered(await deliverySteps(await app.recording(id)));
  return applied || resultTree === null ? undefined : resultTree;
}

type Work = (run: Run<DeliveryParts>) => Promise<void>;

/** The status of the task stays what it was, also when this process is killed meanwhile. */
async function asStepOf(
  app: DeliveringApp,
  task: TaskSummary,
  name: string,
  signal: AbortSignal,
  work: Work,
): Promise<void> {
  const parts = await app.claim(task.id, signal);
  const { journal } = parts;
  try {
    await journal.run(name, (strand) => work(new Run(strand, parts)));
  } finally {
    if (journal.claim) await releaseTask(app.store, journal.claim);
  }
}

const nothing = (task: string, why: string) => fail("invalid-input", "apply.nothing", `task ${task} ${why}`);
