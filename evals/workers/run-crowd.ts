import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { startModelServer } from "../../test/model-server.ts";
import type { PostgresServer } from "../../test/postgres/postgres-server.ts";
import { examineCrowd, rows, type Seen } from "./examine-crowd.ts";
import { type Asked, goalOf, numberedScript, readAsked } from "./numbered-goals.ts";
import { WorkerCrowd } from "./worker-crowd.ts";

export interface CrowdPlan {
  tasks: number;
  workers: number;
  directories: number;
  /** A worker is killed so often. */
  killMs: number;
  /** And so many times at most. */
  kills: number;
  /** Restart the database when half of the tasks have ended. */
  restart: boolean;
  /** Give up when nothing has ended for so long. */
  patienceMs: number;
  root: string;
  tell(text: string): void;
}

export interface CrowdResult extends Seen {
  seconds: number;
  kills: number;
  /** Calls of the model that were cut off and made again. */
  again: number;
}

const Left = z.object({ settled: z.coerce.number(), promised: z.coerce.number() });

/** Lets workers do numbered goals while they are killed one after the other, and looks whether all of it is right. */
export async function runCrowd(postgres: PostgresServer, plan: CrowdPlan): Promise<CrowdResult> {
  const { tasks, workers, directories, tell } = plan;
  const asked: Asked[] = [];
  await using model = await startModelServer(numberedScript, {
    onRequest: (request) => void asked.push(readAsked(request)),
  });
  const url = postgres.url();
  await using crowd = new WorkerCrowd(plan.root, model, url, { workers, directories });
  await crowd.start();
  const began = Date.now();
  const numbers = new Map<string, number>();
  const ended = new AbortController();
  const killing = killNow(crowd, plan, ended.signal);
  for (let number = 0; number < tasks; number += 1) {
    numbers.set(await crowd.ask(goalOf(number), number % directories), number);
  }
  tell(`${tasks} tasks are in the queue`);
  await untilDone(postgres, plan, began);
  ended.abort();
  const kills = await killing;
  const seconds = (Date.now() - began) / 1000;
  const seen = await examineCrowd(url, numbers, asked, crowd);
  return { ...seen, seconds, kills, again: asked.length - seen.calls };
}

async function killNow(crowd: WorkerCrowd, { killMs, kills, workers }: CrowdPlan, ended: AbortSignal): Promise<number> {
  let killed = 0;
  while (killed < kills) {
    await sleep(killMs, undefined, { signal: ended }).catch(() => {});
    if (ended.aborted) break;
    await crowd.replace(killed % workers);
    killed += 1;
  }
  return killed;
}

/** Until nothing is promised any more: not to be worked on, and not to be delivered. */
async function untilDone(postgres: PostgresServer, plan: CrowdPlan, began: number): Promise<void> {
  const { tasks, patienceMs, tell } = plan;
  const sql = `select (select count(*) from miracle.tasks where status in ('proven', 'checked', 'not-proven')) as settled,
    (select count(*) from miracle.jobs) as promised`;
  let [most, changed, restarted, dead] = [0, Date.now(), !plan.restart, false];
  for (;;) {
    const [left] = await rows(postgres.url(), Left, sql);
    const done = (left?.settled ?? 0) + tasks - (left?.promised ?? tasks);
    if (left && left.promised === 0 && left.settled >= tasks) return;
    if (done > most) {
      [most, changed] = [done, Date.now()];
      tell(`${left?.settled} have ended, ${left?.promised} are promised, ${Math.round((changed - began) / 1000)} s`);
    }
    if (!restarted && (left?.settled ?? 0) * 2 >= tasks) {
      restarted = true;
      tell("the database is restarted");
      await postgres.stop();
      await postgres.run();
    }
    dead = Date.now() - changed > patienceMs;
    if (dead) return tell(`nothing has ended for ${patienceMs / 1000} s: given up`);
    await sleep(500);
  }
}
