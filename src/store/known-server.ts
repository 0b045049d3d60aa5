import { setTimeout as delay } from "node:timers/promises";
import { isStarting, mayComeBack } from "./postgres-errors.ts";
import type { OpenSession, PostgresSession } from "./postgres-session.ts";

/** How long a known server may take to restart. */
const RETURN_MS = 15_000;
const RETURN_STEP_MS = 100;

/** Opens sessions of one server. One that was reached before may come back; one that never was is a mistake. */
export class KnownServer {
  #wasReached = false;

  async open(open: OpenSession): Promise<PostgresSession> {
    const start = performance.now();
    for (;;) {
      try {
        const session = await open();
        this.#wasReached = true;
        return session;
      } catch (error) {
        const isExpected = this.#wasReached ? mayComeBack(error) : isStarting(error);
        if (!isExpected || performance.now() - start > RETURN_MS) throw error;
        await delay(RETURN_STEP_MS);
      }
    }
  }
}
