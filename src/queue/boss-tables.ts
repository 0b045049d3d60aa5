import { z } from "zod";
import type { Line } from "./fair-turn.ts";
import type { Worker } from "./job.ts";
import { LEASE_SECONDS, type QueueFigures, type WorkerView } from "./job-queue.ts";
import { readLineKey } from "./line-key.ts";

/** Runs SQL, one statement with values or several without. */
export interface BossDatabase extends AsyncDisposable {
  execute(sql: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

export const SCHEMA = "miracle_queue";
export const JOBS = "tasks";

const READY = "state < 'active' and start_after <= now()";

/** How long a worker that says nothing more is remembered: whoever takes its job over asks for it. */
const REMEMBERED = "7 days";

/** What pg-boss is not asked for: who waits how long, and which workers there are. */
export class BossTables {
  readonly #database: BossDatabase;

  private constructor(database: BossDatabase) {
    this.#database = database;
  }

  static async open(database: BossDatabase): Promise<BossTables> {
    // Two processes that create the same table at once disturb each other.
    await database.execute(
      `begin;
      select pg_advisory_xact_lock(hashtext('${SCHEMA}.workers'));
      create table if not exists ${SCHEMA}.workers (
        name text primary key,
        labels jsonb not null,
        seen_at timestamptz not null
      );
      create table if not exists ${SCHEMA}.holders (
        task text not null,
        worker text not null,
        taken_at timestamptz not null,
        primary key (task, worker)
      );
      create table if not exists ${SCHEMA}.attempts (
        job uuid primary key,
        steps bigint not null,
        begun_at timestamptz not null
      );
      create table if not exists ${SCHEMA}.take_overs (
        task text not null,
        worker text not null,
        at timestamptz not null
      );
      delete from ${SCHEMA}.take_overs where at < now() - interval '${REMEMBERED}';
      delete from ${SCHEMA}.workers where seen_at < now() - interval '${REMEMBERED}';
      delete from ${SCHEMA}.holders where taken_at < now() - interval '${REMEMBERED}';
      delete from ${SCHEMA}.attempts where begun_at < now() - interval '${REMEMBERED}';
      commit`,
      [],
    );
    return new BossTables(database);
  }

  async lines(): Promise<Line[]> {
    const { rows } = await this.#database.execute(
      `select group_id as key,
        count(*) filter (where ${READY}) as ready,
        count(*) filter (where state = 'active') as running,
        coalesce(max(priority) filter (where ${READY}), 0) as priority,
        coalesce(extract(epoch from min(created_on) filter (where ${READY})) * 1000, 0) as oldest,
        coalesce(extract(epoch from max(started_on)) * 1000, 0) as last_turn
      from ${SCHEMA}.job where name = $1 and group_id is not null group by group_id`,
      [JOBS],
    );
    return rows.map((row) => {
      const { key, last_turn: lastTurn, priority, ...counts } = LineRow.parse(row);
      return { ...readLineKey(key), ...counts, lastTurn, priority: Math.floor(priority / 2) };
    });
  }

  async figures(): Promise<Omit<QueueFigures, "dead">> {
    const { rows } = await this.#database.execute(
      `select count(*) filter (where ${READY}) as ready,
        count(*) filter (where state < 'active' and start_after > now()) as delayed,
        count(*) filter (where state = 'active') as running,
        extract(epoch from now() - min(created_on) filter (where state < 'active')) * 1000 as oldest,
        (select count(*) from ${SCHEMA}.take_overs where at > now() - interval '${REMEMBERED}') as take_overs
      from ${SCHEMA}.job where name = $1`,
      [JOBS],
    );
    const { oldest, take_overs: takeOvers, ...counts } = FigureRow.parse(rows[0]);
    return { ...counts, oldestMs: oldest, takeOvers };
  }

  async see({ name, labels }: Worker): Promise<void> {
    await this.#database.execute(
      `insert into ${SCHEMA}.workers (name, labels, seen_at) values ($1, $2::jsonb, now())
      on conflict (name) do update set labels = excluded.labels, seen_at = excluded.seen_at`,
      [name, JSON.stringify(labels)],
    );
  }

  async takeOver(task: string, worker: string): Promise<void> {
    await this.#database.execute(`insert into ${SCHEMA}.take_overs (task, worker, at) values ($1, $2, now())`, [
      task,
      worker,
    ]);
  }

  /** Whether the task of this job, which is so far now, got on since it was tried last. */
  async gotOn(job: string, steps: number): Promise<boolean> {
    const { rows } = await this.#database.execute(
      `select 1 from ${SCHEMA}.attempts where job = $1::uuid and steps <> $2`,
      [job, steps],
    );
    return rows.length > 0;
  }

  /** Lets pg-boss try it no more: its next failure makes it a dead letter. */
  async endRetries(job: string): Promise<void> {
    await this.#database.execute(
      `update ${SCHEMA}.job set retry_limit = retry_count where name = $1 and id = $2::uuid`,
      [JOBS, job],
    );
  }

  /** Writes down who has a job, by its key, and how far it was when this attempt of the job began. */
  async hold(task: string, worker: string, job: string, steps: number): Promise<void> {
    await this.#database.execute(
      `with attempt as (
        insert into ${SCHEMA}.attempts (job, steps, begun_at) values ($3::uuid, $4, now())
        on conflict (job) do update set steps = excluded.steps, begun_at = excluded.begun_at
      )
      insert into ${SCHEMA}.holders (task, worker, taken_at) values ($1, $2, now())
      on conflict (task, worker) do update set taken_at = excluded.taken_at`,
      [task, worker, job, steps],
    );
  }

  /** By this worker, or by all that ever had it. */
  async release(task: string, worker?: string): Promise<void> {
    const values = worker === undefined ? [task] : [task, worker];
    const whose = worker === undefined ? "" : "and worker = $2";
    await this.#database.execute(`delete from ${SCHEMA}.holders where task = $1 ${whose}`, values);
  }

  /** Other workers that had this task and did not settle it. None while one of them has it still, by another job. */
  async hadBefore(task: string, but: string, job: string): Promise<string[]> {
    const { rows } = await this.#database.execute(
      `select worker from ${SCHEMA}.holders where task = $1 and worker <> $2 and not exists (
        select 1 from ${SCHEMA}.job where name = $3 and singleton_key = $1 and state = 'active' and id <> $4::uuid
      ) order by worker`,
      [task, but, JOBS, job],
    );
    return rows.map((row) => z.object({ worker: z.string() }).parse(row).worker);
  }

  async workers(): Promise<WorkerView[]> {
    const { rows } = await this.#database.execute(
      `select name, labels, extract(epoch from seen_at) * 1000 as seen_at,
        array(
          select split_part(task, ' ', 1) from ${SCHEMA}.holders where worker = name
          group by 1 order by min(taken_at)
        ) as tasks
      from ${SCHEMA}.workers where seen_at > now() - $1 * interval '1 second' order by name`,
      [LEASE_SECONDS],
    );
    return rows.map((row) => {
      const { seen_at: seenAt, ...worker } = WorkerRow.parse(row);
      return { ...worker, seenAt };
    });
  }

  async forget(name: string): Promise<void> {
    await this.#database.execute(`delete from ${SCHEMA}.workers where name = $1`, [name]);
  }
}

/** Large numbers come as text. */
const figure = z.coerce.number();
const names = z.array(z.string());

const LineRow = z.object({
  key: z.string(),
  ready: figure,
  running: figure,
  priority: figure,
  oldest: figure,
  last_turn: figure,
});

const FigureRow = z.object({
  ready: figure,
  delayed: figure,
  running: figure,
  oldest: figure.nullable(),
  take_overs: figure,
});

const WorkerRow = z.object({ name: z.string(), labels: names, tasks: names, seen_at: figure });
