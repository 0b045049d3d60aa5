import type { Recording } from "../../journal/recording.ts";
import { Run } from "../hands/run.ts";
import { type DeliveryParts, undoResult } from "./apply-result.ts";
import { undoBranch } from "./deliver-branch.ts";
import { deliverySteps, type Effect, nextStrand, outstanding } from "./delivery-steps.ts";

/**
 * Takes back what a cancelled task has done outside of its checkouts and its own store: what it wrote, or had begun to
 * write, into the user's directory, and the branch it made in their repository. The intent of each was recorded before
 * it, so it is known after any crash. Each undo is a step of its own: recorded, it is not run again; cut off, it is run
 * again and finds what is left to do.
 *
 * Whoever adds another effect of this sort gives it a line in `outstanding-effects.ts`, records its intent before it, and
 * takes it back here.
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
