import { fail } from "../domain/failure.ts";
import type { JobQueue, StepsOf } from "../queue/job-queue.ts";

export interface QueuePlace {
  databaseUrl?: string | undefined;
  /** True: the queue of the team, which needs a database server that all of its processes reach. */
  isShared: boolean;
  /** Connections at most. */
  pool?: number;
  /** How often a job is tried without getting on. */
  attempts?: number;
  stepsOf: StepsOf;
}

export async function chooseQueue(place: QueuePlace, report: (error: unknown) => void): Promise<JobQueue> {
  const { databaseUrl, isShared, pool, attempts, stepsOf } = place;
  if (!isShared) {
    const { LocalJobQueue } = await import("../queue/local-job-queue.ts");
    // Jobs of this process need no lease: they end with it.
    return new LocalJobQueue(Date.now, Number.POSITIVE_INFINITY, stepsOf);
  }
  if (databaseUrl === undefined) {
    const message = "a queue needs PostgreSQL: set DATABASE_URL to the address of a server that all workers reach";
    throw fail("invalid-input", "queue.database", message);
  }
  const { BossJobQueue } = await import("../queue/boss-job-queue.ts");
  const { PostgresSessions } = await import("../store/postgres-sessions.ts");
  return BossJobQueue.open(new PostgresSessions(databaseUrl, pool), report, stepsOf, attempts);
}
