import type { Recording } from "../journal/recording.ts";
import { type DeliveryParts, undoResult } from "./deliver.ts";
import { deliverySteps, lastIntent, nextStrand } from "./delivery-steps.ts";

/**
 * Takes back what a cancelled task has done outside of its checkouts and its own store: what it wrote, or had begun to
 * write, into the user's directory. Its intent was recorded before the first write, so it is known after any crash. The
 * undo is a step of its own kind: recorded, it is not run again; cut off, it is run again and finds what is left to do.
 *
 * Whoever adds another effect of this sort records its intent before it, and takes it back here.
 */
export async function compensate(parts: DeliveryParts, recording: Recording): Promise<void> {
  const steps = await deliverySteps(recording);
  const last = await lastIntent(steps, recording);
  if (!last || last.takenBack || last.byPerson) return;
  await parts.journal.run(nextStrand(steps, "undo"), (strand) => undoResult(strand, parts, last.intent, "spare"));
}
