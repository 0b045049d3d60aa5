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

/** An effect that was done, or at least begun, and can be taken back. */
export type Effect = { byPerson: boolean } & (
  | { kind: "apply"; intent: ApplyIntent }
  | { kind: "branch"; intent: BranchIntent }
);

/** Everything the task did to the user's directory and repository, in order. */
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

/** The effects that nobody has taken back, newest first. */
export function outstanding(steps: DeliveryStep[], recording: Recording): Promise<Effect[]> {
  return Promise.all(outstandingEffects(steps).map((step) => effectOf(step, recording)));
}

async function effectOf({ kind, strand, outputHash }: DeliveryStep, recording: Recording): Promise<Effect> {
  const intent = await unpack(outputHash, (hash) => recording.blob(hash));
  // `miracle apply` has its own strands. A cancelled task does not take back what a person asked for.
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
 * Each delivery gets a strand of its own, with a number, so that a further delivery runs and is not recalled from the
 * journal. A delivery of the same kind that was cut off between its intent and its end continues on its old strand.
 */
export function nextStrand(steps: DeliveryStep[], name: "apply" | "undo", kind?: EffectStep["kind"]): string {
  const own = steps.filter((step) => delivererOf(step.strand) === name);
  const last = own.at(-1);
  if (last?.part === "intent" && last.ok && last.kind === kind) return last.strand;
  return deliveryStrand(name, new Set(own.map((step) => step.strand)).size + 1);
}
