import { PgBoss } from "pg-boss";
import type { Journal } from "../src/journal/journal.ts";
import { BossJobQueue } from "../src/queue/boss-job-queue.ts";
import type { Job } from "../src/queue/job.ts";
import { JobWorker } from "../src/queue/job-worker.ts";
import { openPostgres } from "../src/store/open-postgres.ts";
import { PostgresSessions } from "../src/store/postgres-sessions.ts";
import { Store } from "../src/store/store.ts";
import { JournalBuilder } from "../test/journal-builder.ts";
import { PostgresServer } from "../test/postgres/postgres-server.ts";
import { timeSteps } from "./measure-journal.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const JOBS = 60;
const STARTS = 10;
const STEPS = 100;
const WORKERS = [1, 2, 4, 8];

/** What a team's queue costs on a PostgreSQL of this machine, beside pg-boss alone. No row where there is none. */
export const measureQueue = (place: Place): Measurement =>
  measurement(
    ["queue", "queue-start", "journal-workers"],
    async () => {
      const server = await PostgresServer.start();
      if (typeof server === "string") {
        process.stderr.write(`the queue is left out: ${server}\n`);
        return [];
      }
      await using _ = server;
      const { ours, startMs } = await timeQueue(server.url());
      return [{ ours, startMs, bare: await timeBoss(server.url()), steps: await timeWorkers(place, server.url()) }];
    },
    (taken) => {
      const samples = taken.flat();
      if (samples.length === 0) return [];
      const of = (figure: "ours" | "bare" | "startMs") => median(samples.map((sample) => sample[figure]));
      const rates = WORKERS.map((_, index) => median(samples.map(({ steps }) => steps[index] ?? Number.NaN)));
      return [
        {
          name: "queue",
          what: "a job through the queue ÷ pg-boss alone",
          value: of("ours") / of("bare"),
          unit: "×",
          bar: null,
          detail: `enter, take by turns, settle: ${of("ours").toFixed(1)} ms; pg-boss ${of("bare").toFixed(1)} ms`,
        },
        {
          name: "queue-start",
          what: "from entering a job to its beginning",
          value: of("startMs"),
          unit: "ms",
          bar: null,
          detail: "an idle worker that looks every second",
        },
        {
          name: "journal-workers",
          what: "a journalled step with 8 workers at once",
          value: 1000 / (rates.at(-1) ?? Number.NaN),
          unit: "ms",
          bar: null,
          detail: WORKERS.map((count, index) => `${count}: ${rates[index]?.toFixed(0)} steps/s`).join(", "),
        },
      ];
    },
  );

const jobOf = (task: string): Job => ({
  ...{ task, purpose: "work", person: `p${task.length}`, project: "/shop", priority: 0, labels: [], request: null },
});

async function timeQueue(url: string): Promise<{ ours: number; startMs: number }> {
  await using queue = await BossJobQueue.open(new PostgresSessions(url), fault, async () => 0);
  const worker = { name: "one", labels: [], projects: ["/shop"] };
  const begin = performance.now();
  for (let index = 0; index < JOBS; index += 1) await queue.enqueue(jobOf(`t${index}`));
  for (let taken = await queue.take(worker); taken; taken = await queue.take(worker)) await queue.done(taken);
  const ours = (performance.now() - begin) / JOBS;
  return { ours, startMs: await timeStarts(queue) };
}

async function timeStarts(queue: BossJobQueue): Promise<number> {
  let begun = Promise.withResolvers<number>();
  const worker = new JobWorker({
    queue,
    worker: { name: "two", labels: [], projects: ["/shop"] },
    concurrency: 1,
    run: async () => {
      begun.resolve(performance.now());
      return "ended";
    },
    stopping: () => new Error("stopped"),
    report: fault,
    lookMs: 1000,
  });
  worker.start();
  const times: number[] = [];
  for (let index = 0; index < STARTS; index += 1) {
    begun = Promise.withResolvers<number>();
    // So that it has nothing to do any more, and jobs come at all moments between two looks.
    await new Promise((resolve) => setTimeout(resolve, 200 + 97 * index));
    const entered = performance.now();
    await queue.enqueue(jobOf(`s${index}`));
    times.push((await begun.promise) - entered);
  }
  await worker.stop();
  return median(times);
}

async function timeBoss(url: string): Promise<number> {
  await using sessions = new PostgresSessions(url);
  const executeSql = (sql: string, values?: unknown[]) => sessions.execute(sql, values ?? []);
  const boss = new PgBoss({ db: { executeSql }, schema: "bare", schedule: false, supervise: false });
  await boss.start();
  await boss.createQueue("jobs");
  const begin = performance.now();
  for (let index = 0; index < JOBS; index += 1) await boss.send("jobs", jobOf(`t${index}`));
  for (let fetched = await boss.fetch("jobs"); fetched.length > 0; fetched = await boss.fetch("jobs")) {
    for (const { id } of fetched) await boss.complete("jobs", id);
  }
  const took = (performance.now() - begin) / JOBS;
  await boss.stop({ graceful: false });
  return took;
}

/** Durable steps a second of so many tasks at once, each on connections of its own. */
async function timeWorkers(place: Place, url: string): Promise<number[]> {
  const rates: number[] = [];
  for (const count of WORKERS) {
    await using stores = new AsyncDisposableStack();
    const journals: Journal[] = [];
    for (let index = 0; index < count; index += 1) {
      const store = stores.use(await Store.open(openPostgres(url)));
      const builder = new JournalBuilder(place.directory("workers"));
      journals.push(await builder.create(store, `t${count}000000${index}`));
    }
    const begin = performance.now();
    await Promise.all(journals.map((journal) => journal.run("task", (strand) => timeSteps(strand, STEPS, true))));
    rates.push((count * STEPS * 1000) / (performance.now() - begin));
  }
  return rates;
}

function fault(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
}
