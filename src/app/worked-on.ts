import { isAlive, Owner } from "../journal/claim.ts";
import type { Store } from "../store/store.ts";

/** Whether a live process works on the task. The status does not tell: a process that was killed leaves it as running. */
export async function isWorkedOn(store: Store, task: string): Promise<boolean> {
  const row = await store.read.selectFrom("tasks").select("owner").where("id", "=", task).executeTakeFirst();
  return isOwned(row?.owner ?? null);
}

/** The same for the column as it was read. */
export const isOwned = (owner: string | null): boolean => owner !== null && isAlive(Owner.parse(JSON.parse(owner)));
