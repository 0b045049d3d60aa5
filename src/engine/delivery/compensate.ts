import type { Recording } from "../../journal/recording.ts";
import { Run } from "../hands/run.ts";
import { type DeliveryParts, undoResult } from "./apply-result.ts";
import { undoBranch } from "./deliver-branch.ts";
import { deliverySteps, type Effect, nextStrand, outstanding } from "./delivery-steps.ts";

/**
 * Takes back what a cancelled task did outside of its checkouts and its own store: the files it wrote, or began to
 * write, into the user's directory, and the branch it made in their repository. Each intent is recorded before its
 * effect, so it is known after any crash. Each undo is a step of its own. A recorded undo does not run again. An undo
 * that was cut off runs again and finds what is left to do.
 *
 * To add another effect of this sort: give it a line in `outstanding-effects.ts`, record its intent before the effect,
 * and take the effect back here.
 */
export async function compensate(parts: DeliveryParts, recording: Recording): Promise<void> {
  for (;;) {
    const steps = await deliverySteps(recording);
    const next = (await outstanding(steps, recording)).find(({ byPerson }) => !byPerson);
    if (!next) return;
    await parts.journal.run(nextStrand(steps, "undo"), (strand) => takeBack(new Run(strand, parts), next));
  }
}

function takeBack(run: Run<DeliveryParts>, effect: Effect): Promise<void> {
  return effect.kind === "apply" ? undoResult(run, effect.intent, "spare") : undoBranch(run, effect.intent, "spare");
}
