import { PgBoss } from "pg-boss";
import { describe, expect, onTestFinished, test } from "vitest";
import { BossJobQueue } from "../../src/queue/boss-job-queue.ts";
import type { Job } from "../../src/queue/job.ts";
import { JobWorker, type RunEnding } from "../../src/queue/job-worker.ts";
import { PostgresSessions } from "../../src/store/postgres-sessions.ts";
import { jobQueueConformance } from "../conformance/job-queue.ts";
import { newDatabase, problem } from "./shared-server.ts";

describe.skipIf(problem !== undefined)(`a queue on PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  jobQueueConformance(async () => {
    const sessions = new PostgresSessions(await newDatabase());
    onTestFinished(() => sessions[Symbol.asyncDispose]());
    const report = (error: unknown) => process.stderr.write(`${error}\n`);
    const steps = new Map<string, number>();
    const queue = await BossJobQueue.open(sessions, report, async (task) => steps.get(task) ?? 0);
    const executeSql = (sql: string, values?: unknown[]) => sessions.execute(sql, values ?? []);
    const boss = new PgBoss({ db: { executeSql }, schema: "miracle_queue", schedule: false, supervise: false });
    await boss.start();
    onTestFinished(() => boss.stop({ graceful: false }));
    // Time is what the rows say: heartbeats become old, somebody looks, and pauses end.
    const pass = async () => {
      await executeSql("update miracle_queue.job set heartbeat_on = heartbeat_on - interval '1 hour'");
      await executeSql("update miracle_queue.queue set monitor_on = null, monitor_claim_on = null");
      await boss.supervise("tasks");
      await executeSql("update miracle_queue.job set start_after = now() where state = 'retry'");
    };
    return { queue, record: (task, count) => void steps.set(task, count), pass };
  });

  test("a task that is entered again while it is worked on is not in two runs of one process", async () => {
    const queue = await BossJobQueue.open(
      new PostgresSessions(await newDatabase()),
      () => {},
      async () => 0,
    );
    onTestFinished(() => queue[Symbol.asyncDispose]());
    const job: Job = {
      ...{ task: "a", purpose: "work", person: "ann", project: "/shop", priority: 0, labels: [], request: null },
    };
    const runs: PromiseWithResolvers<RunEnding>[] = [];
    const worker = new JobWorker({
      queue,
      worker: { name: "one", labels: [], projects: ["/shop"] },
      concurrency: 2,
      run: () => {
        const end = Promise.withResolvers<RunEnding>();
        runs.push(end);
        return end.promise;
      },
      stopping: () => new Error("stopped"),
      report: () => {},
      lookMs: 50,
    });
    onTestFinished(async () => {
      for (const { resolve } of runs) resolve("ended");
      await worker.stop();
    });
    await queue.enqueue(job);
    worker.start();
    await expect.poll(() => runs, { timeout: 10_000 }).toHaveLength(1);
    await queue.enqueue(job);
    // It was taken, found to be under way, and given back.
    await expect.poll(async () => (await queue.figures()).delayed, { timeout: 10_000, interval: 5 }).toBe(1);
    expect(runs).toHaveLength(1);
    runs[0]?.resolve("ended");
    await expect.poll(() => runs, { timeout: 10_000 }).toHaveLength(2);
  });
});
