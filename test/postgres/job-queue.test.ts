import { PgBoss } from "pg-boss";
import { describe, onTestFinished } from "vitest";
import { BossJobQueue } from "../../src/queue/boss-job-queue.ts";
import { PostgresSessions } from "../../src/store/postgres-sessions.ts";
import { jobQueueConformance } from "../conformance/job-queue.ts";
import { newDatabase, problem } from "./shared-server.ts";

describe.skipIf(problem !== undefined)(`a queue on PostgreSQL${problem ? ` (${problem})` : ""}`, () => {
  jobQueueConformance(async () => {
    const sessions = new PostgresSessions(await newDatabase());
    onTestFinished(() => sessions[Symbol.asyncDispose]());
    const report = (error: unknown) => process.stderr.write(`${error}\n`);
    const queue = await BossJobQueue.open(sessions, report);
    const executeSql = (sql: string, values?: unknown[]) => sessions.execute(sql, values ?? []);
    const boss = new PgBoss({ db: { executeSql }, schema: "miracle_queue", schedule: false, supervise: false });
    await boss.start();
    onTestFinished(() => boss.stop({ graceful: false }));
    // Time is what the rows say: heartbeats become old, somebody looks, and pauses end.
    const pass = async () => {
      await executeSql("update miracle_queue.job set heartbeat_on = heartbeat_on - interval '1 hour'");
      await executeSql("update miracle_queue.queue set monitor_on = null");
      await boss.supervise("tasks");
      await executeSql("update miracle_queue.job set start_after = now() where state = 'retry'");
    };
    return { queue, pass };
  });
});
