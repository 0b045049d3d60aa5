import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, Owner, thisProcess } from "../journal/claim.ts";
import type { Store } from "../store/store.ts";
import { wish } from "../store/tasks.ts";

interface Working {
  task: string;
  pid: number;
  host: string;
}

interface Stopped {
  /** Tasks that nobody works on any more. */
  stopped: string[];
  /** Tasks that waited for their turn. */
  withdrawn: string[];
  /** Tasks whose process was killed. */
  ended: Working[];
  left: Working[];
}

/** How long tasks have to stop by themselves, and how often we look. */
const GRACE_MS = 10_000;
const LOOK_MS = 100;

/**
 * Stops every task: what waits is withdrawn first, so that nothing begins in the place of what ends. A step that is under
 * way may be cut off; like after a crash, it runs again on a resume.
 */
export async function stopEverything(
  store: Store,
  { force, graceMs = GRACE_MS }: { force: boolean; graceMs?: number },
): Promise<Stopped> {
  const withdrawn = await withdrawAll(store);
  const asked = await working(store);
  for (const { task } of asked) await wish(store, task, "pause");
  let left = await waitFor(store, graceMs);
  const ended = force ? left.filter(endProcess) : [];
  if (ended.length > 0) left = await waitFor(store, graceMs);
  const isLeft = (task: string) => left.some((other) => other.task === task);
  const stopped = asked.map(({ task }) => task).filter((task) => !isLeft(task));
  return { stopped, withdrawn: withdrawn.filter((task) => !stopped.includes(task)), ended, left };
}

/** A promise is a row: a job begins only while its row is there. */
async function withdrawAll(store: Store): Promise<string[]> {
  return store.write(async (tx) => {
    const rows = await tx.deleteFrom("jobs").returning("task_id").execute();
    return rows.map(({ task_id }) => task_id);
  });
}

async function waitFor(store: Store, graceMs: number): Promise<Working[]> {
  const until = Date.now() + graceMs;
  let left = await working(store);
  while (left.length > 0 && Date.now() < until) {
    await sleep(LOOK_MS);
    left = await working(store);
  }
  return left;
}

/** Tasks that a live process works on, but not this one. */
async function working(store: Store): Promise<Working[]> {
  const rows = await store.read.selectFrom("tasks").select(["id", "owner"]).where("owner", "is not", null).execute();
  return rows.flatMap(({ id, owner }) => {
    const found = Owner.parse(JSON.parse(owner ?? "null"));
    const { pid, host } = found;
    return isAlive(found) && pid !== process.pid ? [{ task: id, pid, host }] : [];
  });
}

/** Only on this machine: elsewhere the number means another process. */
function endProcess({ pid, host }: Working): boolean {
  if (host !== thisProcess().host) return false;
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
