import type { App } from "../../app.ts";
import { isAlive, Owner } from "../../journal/claim.ts";

/** Whether a live process works on the task. The status does not tell: a process that was killed leaves it as running. */
export async function isWorkedOn(app: App, task: string): Promise<boolean> {
  const row = await app.store.read.selectFrom("tasks").select("owner").where("id", "=", task).executeTakeFirst();
  return row?.owner != null && isAlive(Owner.parse(JSON.parse(row.owner)));
}
