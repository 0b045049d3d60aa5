import type { Step } from "../../domain/task/step.ts";
import { delivererOf, deliveryStrand, nameOf } from "../../domain/task/step-path.ts";
import { unpack } from "../../journal/pack.ts";
import type { Recording } from "../../journal/recording.ts";
import { ApplyIntent } from "../../workspace/apply-intent.ts";
import { BranchIntent } from "../../workspace/branch-intent.ts";
import { type EffectStep, effectNamed, outstandingEffects } from "./outstanding-effects.ts";

/** A step of a delivery, and what it left in the journal. */
export interface DeliveryStep extends EffectStep {
  outputHash: Step["outputHash"];
}

/** What was done, or begun to be done, and can be taken back. */
export type Effect = { byPerson: boolean } & (
  | { kind: "apply"; intent: ApplyIntent }
  | { kind: "branch"; intent: BranchIntent }
);

/** All that a task did to the user's directory and repository, in the order of it. */
export async function deliverySteps(recording: Recording): Promise<DeliveryStep[]> {
  const steps: DeliveryStep[] = [];
  for (const name of (await recording.strands()).filter((strand) => delivererOf(strand) !== null)) {
    for (const { path, outcome, sequence, strand, outputHash } of (await recording.strand(name)).steps) {
      const effect = effectNamed(nameOf(path));
      if (!effect) continue;
      const ok = outcome === "ok";
      const id = effect.kind === "branch" && ok ? await commitOf(outputHash, recording) : "";
      steps.push({ ...effect, id, ok, sequence, strand, outputHash });
    }
  }
  return steps.sort((a, b) => a.sequence - b.sequence);
}

/** Every step of a branch says which commit it is about. */
async function commitOf(outputHash: Step["outputHash"], recording: Recording): Promise<string> {
  const output = await unpack(outputHash, (hash) => recording.blob(hash));
  return typeof output === "string" ? output : BranchIntent.parse(output).commit;
}

/** What is not taken back, newest first. */
export function outstanding(steps: DeliveryStep[], recording: Recording): Promise<Effect[]> {
  return Promise.all(outstandingEffects(steps).map((step) => effectOf(step, recording)));
}

async function effectOf({ kind, strand, outputHash }: DeliveryStep, recording: Recording): Promise<Effect> {
  const intent = await unpack(outputHash, (hash) => recording.blob(hash));
  // `miracle apply` has strands of its own: what a person asked for is not the task's to take back.
  const byPerson = delivererOf(strand) === "apply";
  return kind === "apply"
    ? { kind, byPerson, intent: ApplyIntent.parse(intent) }
    : { kind, byPerson, intent: BranchIntent.parse(intent) };
}

/** Whether the result stands in the user's directory. */
export function isDelivered(steps: DeliveryStep[]): boolean {
  const own = steps.filter(({ kind, part, ok }) => kind === "apply" && part !== "intent" && ok);
  return own.at(-1)?.part === "done";
}

/**
 * Each delivery is a strand of its own, numbered: a further one must run and not be recalled. One that was cut off
 * between its intent and its end is gone on with, if it is of the same kind.
 */
export function nextStrand(steps: DeliveryStep[], name: "apply" | "undo", kind?: EffectStep["kind"]): string {
  const own = steps.filter((step) => delivererOf(step.strand) === name);
  const last = own.at(-1);
  if (last?.part === "intent" && last.ok && last.kind === kind) return last.strand;
  return deliveryStrand(name, new Set(own.map((step) => step.strand)).size + 1);
}
