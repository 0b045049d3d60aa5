import type { App } from "../app.ts";
import { fail } from "../domain/failure.ts";
import type { Step } from "../domain/step.ts";
import type { TaskSummary } from "../domain/task.ts";
import { applyResult, undoResult } from "../engine/deliver.ts";
import { releaseTask } from "../journal/claim.ts";
import { unpack } from "../journal/pack.ts";
import type { Recording } from "../journal/recording.ts";
import { ApplyIntent } from "../workspace/apply-intent.ts";

export interface ApplyRequest {
  /** Take a result that no proof stands behind. */
  unproven: boolean;
}

/** Writes a finished task's result into its directory, as steps of the task, so that `undo` and a crash are covered. */
export async function applyTask(
  app: App,
  task: TaskSummary,
  { unproven }: ApplyRequest,
  signal: AbortSignal,
): Promise<void> {
  const { id, status, baseTree, resultTree } = task;
  if (baseTree === null || resultTree === null) throw nothing(id, "has no result");
  if (status !== "proven" && status !== "checked" && !unproven) {
    const message = `task ${id} is ${status}; --unproven applies its result all the same`;
    throw fail("policy", "apply.unproven", message);
  }
  const steps = await deliverySteps(await app.recording(id));
  if (isDelivered(steps)) throw nothing(id, "is applied already");
  await asStepOf(app, task, nextStrand(steps, "apply"), signal, (strand, parts) =>
    applyResult(strand, parts, baseTree, resultTree),
  );
}

/** Takes an applied result back, also one whose apply was cut off. */
export async function undoTask(app: App, task: TaskSummary, force: boolean, signal: AbortSignal): Promise<void> {
  const recording = await app.recording(task.id);
  const steps = await deliverySteps(recording);
  const last = steps.findLast((step) => nameOf(step) === "apply-intent" && step.outcome === "ok");
  if (!last) throw nothing(task.id, "was never applied");
  if (steps.some((step) => nameOf(step) === "undo" && step.outcome === "ok" && step.sequence > last.sequence)) {
    throw nothing(task.id, "was taken back already");
  }
  const intent = ApplyIntent.parse(await unpack(last.outputHash, (hash) => recording.blob(hash)));
  await asStepOf(app, task, nextStrand(steps, "undo"), signal, (strand, parts) =>
    undoResult(strand, parts, intent, force),
  );
}

/** The result of a task that does not stand in its directory; undefined when it does, or when there is none. */
export async function unappliedResult(app: App, { id, resultTree }: TaskSummary): Promise<string | undefined> {
  const applied = isDelivered(await deliverySteps(await app.recording(id)));
  return applied || resultTree === null ? undefined : resultTree;
}

type Work = (strand: Parameters<typeof applyResult>[0], parts: Parameters<typeof applyResult>[1]) => Promise<void>;

/** A delivery is done to a task, and its status stays what it was, also when this process is killed meanwhile. */
async function asStepOf(app: App, task: TaskSummary, name: string, signal: AbortSignal, work: Work): Promise<void> {
  const parts = await app.claim(task.id, signal);
  const { journal } = parts;
  try {
    await journal.run(name, (strand) => work(strand, parts));
  } finally {
    if (journal.claim) await releaseTask(app.store, journal.claim);
  }
}

async function deliverySteps(recording: Recording): Promise<Step[]> {
  const steps: Step[] = [];
  for (const name of await recording.strands()) steps.push(...(await recording.strand(name)).steps);
  return steps
    .filter((step) => ["apply-intent", "apply", "undo"].includes(nameOf(step)))
    .sort((a, b) => a.sequence - b.sequence);
}

function isDelivered(steps: Step[]): boolean {
  const last = steps.findLast((step) => nameOf(step) !== "apply-intent" && step.outcome === "ok");
  return last !== undefined && nameOf(last) === "apply";
}

/**
 * Each delivery is a strand of its own, numbered: a further one must run and not be recalled. One that was cut off
 * between its intent and its end is gone on with.
 */
function nextStrand(steps: Step[], name: "apply" | "undo"): string {
  const own = steps.filter((step) => step.strand.startsWith(`${name}:`));
  const last = own.at(-1);
  if (last && nameOf(last) === "apply-intent" && last.outcome === "ok") return last.strand;
  return `${name}:${new Set(own.map((step) => step.strand)).size + 1}`;
}

/** Of `<strand>/<name>/<n>`. */
const nameOf = ({ path }: Step): string => path.split("/").at(-2) ?? "";

const nothing = (task: string, why: string) => fail("invalid-input", "apply.nothing", `task ${task} ${why}`);
