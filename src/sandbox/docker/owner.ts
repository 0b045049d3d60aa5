import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { processStart } from "../../journal/process-start.ts";
import { unavailable } from "../explain.ts";
import { OWNER_LABEL } from "./container.ts";
import { type EngineApi, messageOf } from "./engine-api.ts";

/** The owner of a container: this process, distinguishable from a later one with the same number. */
export const thisOwner = (): string => `${hostname()}:${process.pid}:${processStart(process.pid) ?? ""}`;

/** A killed process cannot remove its containers, and the engine does not notice. The next process removes them. */
export async function removeOrphans(api: EngineApi): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: [OWNER_LABEL] }));
  const found = await api.demand("GET", `/containers/json?all=1&filters=${filters}`);
  const containers = Array.isArray(found) ? found : [];
  const orphans = containers.filter(({ Labels }) => isGone(String(Labels?.[OWNER_LABEL] ?? "")));
  await Promise.all(orphans.map(({ Id }) => removeContainer(api, String(Id))));
}

const ATTEMPTS = 20;
const PAUSE_MS = 100;

/** An engine refuses while it is still starting the container. Then we try again a moment later. */
export async function removeContainer(api: EngineApi, id: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await api.send("DELETE", `/containers/${id}?force=1&v=1`);
    if (answer.status < 400 || answer.status === 404) return;
    if (attempt === ATTEMPTS)
      throw unavailable(`the container engine does not remove a container: ${messageOf(answer)}`);
    await setTimeout(PAUSE_MS);
  }
}

function isGone(owner: string): boolean {
  const [host, pid, start] = owner.split(":");
  return host === hostname() && processStart(Number(pid)) !== start;
}
