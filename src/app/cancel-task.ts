import { compensate } from "../engine/compensate.ts";
import type { DeliveryParts } from "../engine/deliver.ts";
import { claimTask, pauseTask, releaseTask, thisProcess } from "../journal/claim.ts";
import type { Recording } from "../journal/recording.ts";
import type { Store } from "../store/store.ts";

/** Ends a task that nobody works on for good. Also one that is cancelled already: then only what is left is taken back. */
export async function cancelIdleTask(store: Store, task: string, status: string): Promise<void> {
  if (status === "cancelled") return;
  const claim = await claimTask(store, task, thisProcess(), { purpose: "work" });
  await pauseTask(store, claim, { status: "cancelled", reason: "cancelled", at: Date.now() });
}

/** After it is over, so that nothing can resume a task which is being taken back. Killed meanwhile, `cancel` goes on. */
export async function takeBackCancelled(parts: DeliveryParts, recording: Recording, store: Store): Promise<void> {
  try {
    await compensate(parts, recording);
  } finally {
    if (parts.journal.claim) await releaseTask(store, parts.journal.claim);
  }
}
