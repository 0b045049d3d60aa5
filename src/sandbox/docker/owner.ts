import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import { unavailable } from "../explain.ts";
import { OWNER_LABEL } from "./container.ts";
import { type EngineApi, messageOf } from "./engine-api.ts";

/** The owner of a container: this process, distinguishable from a later one with the same number. */
export const thisOwner = (): string => `${hostname()}:${process.pid}:${startOf(process.pid) ?? ""}`;

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
  return host === hostname() && startOf(Number(pid)) !== start;
}

/** Field 22 of /proc/PID/stat; undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
