import { setImmediate as breathe, setTimeout as sleep } from "node:timers/promises";

/** Most waits here are for the kernel to finish something. They are shorter than the shortest timer. */
const EAGER_MS = 2;

/** Resolves to true when the condition holds, to false if it does not in time. */
export async function waitUntil(condition: () => boolean, mostMs: number): Promise<boolean> {
  const started = performance.now();
  for (let pauseMs = 1; !condition(); ) {
    const waited = performance.now() - started;
    if (waited > mostMs) return false;
    if (waited < EAGER_MS) await breathe();
    else {
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, 50);
    }
  }
  return true;
}
