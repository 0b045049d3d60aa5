import { PgBoss } from "pg-boss";
import { z } from "zod";
import { type BossDatabase, BossTables, JOBS, SCHEMA } from "./boss-tables.ts";
import { nextLine } from "./fair-turn.ts";
import { canDo, Job, jobKey, type Taken, type Worker } from "./job.ts";
import {
  type DeadLetter,
  type JobQueue,
  LEASE_SECONDS,
  MOST_ATTEMPTS,
  type QueueFigures,
  type StepsOf,
} from "./job-queue.ts";
import { lineKey } from "./line-key.ts";

const DEAD = "dead-letters";

const DAY_SECONDS = 86_400;

/** Jobs that wait are kept, however long it takes; those that ended tell for an hour whose turn it was. */
const KEPT = { retentionSeconds: 365 * DAY_SECONDS, deleteAfterSeconds: 3600 };

/** Leases are what ends a dead worker's job; a day is the most that can be said beside them. */
const RETRIES = {
  expireInSeconds: DAY_SECONDS - 1,
  heartbeatSeconds: LEASE_SECONDS,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
};

/** How often it looks for leases that have lapsed, in all processes together. */
const LOOK_SECONDS = 5;

/**
 * A queue that pg-boss keeps in PostgreSQL: storing, locking, leases, retries and dead letters are its work. Whose turn
 * it is, is ours: it is told which lines to leave out.
 */
export class BossJobQueue implements JobQueue {
  readonly #boss: PgBoss;
  readonly #database: BossDatabase;
  readonly #tables: BossTables;
  readonly #stepsOf: StepsOf;
  readonly #attempts: number;

  private constructor(boss: PgBoss, database: BossDatabase, tables: BossTables, stepsOf: StepsOf, attempts: number) {
    this.#boss = boss;
    this.#database = database;
    this.#tables = tables;
    this.#stepsOf = stepsOf;
    this.#attempts = attempts;
  }

  /** Makes its tables where there are none. `database` is the queue's from now on. */
  static async open(
    database: BossDatabase,
    report: (error: unknown) => void,
    stepsOf: StepsOf,
    attempts = MOST_ATTEMPTS,
  ): Promise<BossJobQueue> {
    const boss = new PgBoss({
      db: { executeSql: (sql, values) => database.execute(sql, values ?? []) },
      schema: SCHEMA,
      schedule: false,
      superviseIntervalSeconds: LOOK_SECONDS,
      monitorIntervalSeconds: LOOK_SECONDS,
    });
    boss.on("error", report);
    await boss.start();
    await boss.createQueue(DEAD, KEPT);
    // One more than there are: after the last one we look whether its task got on, and pg-boss cannot.
    const retries = { ...RETRIES, retryLimit: attempts };
    await boss.createQueue(JOBS, { ...KEPT, ...retries, policy: "short", deadLetter: DEAD });
    // A queue that is there already keeps what it was made with.
    await boss.updateQueue(JOBS, { retryLimit: attempts });
    return new BossJobQueue(boss, database, await BossTables.open(database), stepsOf, attempts);
  }

  async enqueue(job: Job): Promise<void> {
    await this.#send(job, { isBegun: false });
  }

  async take(worker: Worker): Promise<Taken | null> {
    const lines = await this.#tables.lines();
    const line = nextLine(lines, worker);
    if (!line) return null;
    const others = lines.filter((other) => other.ready > 0).map(lineKey);
    const ignoreGroups = others.filter((key) => key !== lineKey(line));
    const [fetched] = await this.#boss.fetch(JOBS, { ignoreGroups, includeMetadata: true });
    if (!fetched) return null;
    const { id, retryCount, data, output } = fetched;
    const job = Job.parse(data);
    const steps = await this.#stepsOf(job.task);
    const before = await this.#tables.hadBefore(jobKey(job), worker.name, id);
    const taken = { ...job, lease: JSON.stringify({ id, retryCount, worker: worker.name }), before };
    // A line that was begun meanwhile was not left out.
    if (!canDo(worker, job)) {
      await this.giveBack(taken);
      return null;
    }
    // Its worker was lost, and the task's own one goes on with it.
    if (retryCount > 0 && job.todo !== undefined) {
      await this.done(taken);
      return this.take(worker);
    }
    if (retryCount > 0 && (await this.#tables.gotOn(id, steps))) {
      await this.giveBack(taken);
      return this.take(worker);
    }
    if (retryCount >= this.#attempts) {
      await this.#bury(taken, Output.safeParse(output).data ?? "its worker was lost");
      return this.take(worker);
    }
    await this.#tables.hold(jobKey(job), worker.name, id, steps);
    if (before.length > 0) await this.#tables.takeOver(job.task, worker.name);
    return taken;
  }

  async renew(worker: Worker, held: readonly Taken[]): Promise<Taken[]> {
    const own: Taken[] = [];
    for (const taken of held) if (await this.#touch(taken)) own.push(taken);
    await this.#tables.see(worker);
    return own;
  }

  async done(taken: Taken): Promise<boolean> {
    const isOwn = await this.#complete(taken);
    if (isOwn) await this.#tables.release(jobKey(taken));
    return isOwn;
  }

  async giveBack(taken: Taken, afterSeconds = 0): Promise<boolean> {
    if (!(await this.#touch(taken))) return false;
    // First the new one: who is killed in between leaves two, of which the second finds nothing to do.
    await this.#send(taken, { isBegun: true, afterSeconds });
    return this.#settled(taken, await this.#complete(taken));
  }

  async retryLater(taken: Taken, why: string): Promise<boolean> {
    if (taken.todo !== undefined) return this.done(taken);
    const { id, retryCount } = leaseOf(taken);
    const isLast = retryCount + 1 >= this.#attempts;
    const gotOn = isLast && (await this.#tables.gotOn(id, await this.#stepsOf(taken.task)));
    return isLast && !gotOn ? this.#bury(taken, why) : this.#fail(taken, why);
  }

  async withdraw(task: string): Promise<void> {
    const waiting = await this.#boss.findJobs(JOBS, { data: { task }, queued: true });
    const dead = await this.#boss.findJobs(DEAD, { data: { task } });
    for (const { id } of waiting) await this.#boss.deleteJob(JOBS, id);
    for (const { id } of dead) await this.#boss.deleteJob(DEAD, id);
  }

  async holds(task: string): Promise<boolean> {
    const jobs = await this.#boss.findJobs(JOBS, { key: task });
    if (jobs.some(({ state }) => state === "created" || state === "retry" || state === "active")) return true;
    return (await this.#boss.findJobs(DEAD, { data: { task }, queued: true })).length > 0;
  }

  async deadLetters(): Promise<DeadLetter[]> {
    const letters = await this.#boss.findJobs(DEAD, { queued: true });
    return letters.map(({ data, sourceOutput, createdOn }) => ({
      job: Job.parse(data),
      why: Output.safeParse(sourceOutput).data ?? "unknown",
      at: createdOn.getTime(),
    }));
  }

  async revive(task: string): Promise<boolean> {
    return (await this.#boss.redrive(DEAD, { data: { task } })) > 0;
  }

  async figures(): Promise<QueueFigures> {
    const dead = (await this.#boss.findJobs(DEAD, { queued: true })).length;
    return { ...(await this.#tables.figures()), dead };
  }

  workers() {
    return this.#tables.workers();
  }

  leave({ name }: Worker): Promise<void> {
    return this.#tables.forget(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#boss.stop({ graceful: false });
    await this.#database[Symbol.asyncDispose]();
  }

  async #send(entered: Job, { isBegun, afterSeconds = 0 }: { isBegun: boolean; afterSeconds?: number }): Promise<void> {
    const job = Job.parse(entered);
    await this.#boss.send(JOBS, job, {
      singletonKey: jobKey(job),
      group: { id: lineKey(job) },
      // Before its like, and behind what is more urgent.
      priority: 2 * job.priority + (isBegun ? 1 : 0),
      startAfter: afterSeconds,
    });
  }

  async #complete(taken: Taken): Promise<boolean> {
    return isAffected(await this.#boss.complete(JOBS, leaseOf(taken)));
  }

  async #fail(taken: Taken, why: string): Promise<boolean> {
    return this.#settled(
      taken,
      isAffected(await this.#boss.fail(JOBS, leaseOf(taken), { message: why.slice(0, 2000) })),
    );
  }

  /** Makes it a dead letter. Only who has it may. */
  async #bury(taken: Taken, why: string): Promise<boolean> {
    if (!(await this.#touch(taken))) return false;
    await this.#tables.endRetries(leaseOf(taken).id);
    return this.#fail(taken, why);
  }

  async #settled(taken: Taken, isOwn: boolean): Promise<boolean> {
    if (isOwn) await this.#tables.release(jobKey(taken), leaseOf(taken).worker);
    return isOwn;
  }

  async #touch(taken: Taken): Promise<boolean> {
    return isAffected(await this.#boss.touch(JOBS, leaseOf(taken)));
  }
}

const Lease = z.object({ id: z.string(), retryCount: z.int(), worker: z.string() });
const leaseOf = ({ lease }: Taken) => Lease.parse(JSON.parse(lease));

/** The types of pg-boss do not say what it answers. */
const Answer = z.object({ affected: z.coerce.number() });
const isAffected = (answer: unknown): boolean => Answer.parse(answer).affected > 0;

/** What we said of a failure, or pg-boss of a lease. */
const Output = z
  .union([z.object({ message: z.string() }), z.object({ value: z.object({ message: z.string() }) })])
  .transform((output) => ("value" in output ? output.value.message : output.message));
