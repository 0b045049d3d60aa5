import type { Settings } from "../domain/settings/settings.ts";
import { runsInPlace } from "../domain/settings/settings.ts";
import type { DeliveryParts } from "../engine/delivery/apply-result.ts";
import { compensate } from "../engine/delivery/compensate.ts";
import { claimTask, pauseTask, releaseTask, thisProcess } from "../journal/claim.ts";
import type { Recording } from "../journal/recording.ts";
import { findControlGroups } from "../sandbox/control-groups.ts";
import { droppedIdentity, scratchUsers } from "../sandbox/identity.ts";
import type { Store } from "../store/store.ts";
import { CheckoutDirectories } from "../workspace/checkout-directory.ts";
import { removeAbandoned } from "../workspace/scratch-directory.ts";

/** Ends an idle task for good. For a task that is already cancelled, only the effects that are left are taken back. */
export async function cancelIdleTask(store: Store, task: string, status: string): Promise<void> {
  if (status === "cancelled") return;
  const claim = await claimTask(store, task, thisProcess(), { purpose: "work" });
  await pauseTask(store, claim, { status: "cancelled", reason: "cancelled", at: Date.now() });
}

/**
 * Runs after the task has ended, so that nobody can resume a task while it is taken back. If the process is killed
 * meanwhile, the next `cancel` continues.
 */
export async function takeBackCancelled(parts: DeliveryParts, recording: Recording, store: Store): Promise<void> {
  try {
    await compensate(parts, recording);
  } finally {
    if (parts.journal.claim) await releaseTask(store, parts.journal.claim);
  }
}

/**
 * Removes what a killed process could not: the task's checkouts, and directories, control groups and containers that no
 * living process owns.
 */
export async function removeRemains(
  dataDirectory: string,
  env: Record<string, string | undefined>,
  task: string,
  { backend }: Pick<Settings["sandbox"], "backend">,
): Promise<void> {
  CheckoutDirectories.open(dataDirectory, runsInPlace(backend) ? null : droppedIdentity()).remove(task);
  removeAbandoned(scratchUsers());
  if (backend === "bubblewrap") findControlGroups();
  if (backend === "docker") {
    const { EngineApi } = await import("../sandbox/docker/engine-api.ts");
    const { findEngine } = await import("../sandbox/docker/find-engine.ts");
    const { removeOrphans } = await import("../sandbox/docker/owner.ts");
    await removeOrphans(new EngineApi(findEngine(env)));
  }
}
