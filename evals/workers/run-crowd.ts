import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { startModelServer } from "../../test/model-server.ts";
import type { PostgresServer } from "../../test/postgres/postgres-server.ts";
import type { CableCut } from "./cable-cut.ts";
import { examineCrowd, rows, type Seen } from "./examine-crowd.ts";
import { type Asked, goalOf, type Numbered, numberedScript, readAsked } from "./numbered-goals.ts";
import { WorkerCrowd } from "./worker-crowd.ts";

export interface CrowdPlan {
  tasks: number;
  workers: number;
  directories: number;
  /** Workers for lent todos alone. Then the tasks of the first directory are plans. */
  helpers?: number;
  /** A worker is killed so often. */
  killMs: number;
  /** And so many times at most. */
  kills: number;
  /** When a quarter of the tasks have ended; the first worker is not killed then. */
  cut?: CableCut | undefined;
  /** Restart the database when half of the tasks have ended. */
  restart: boolean;
  /** Ask for no more tasks and kill nobody after so long: what was asked for by then has to end. */
  askingMs: number;
  /** Give up when nothing has ended for so long. */
  patienceMs: number;
  root: string;
  tell(text: string): void;
}

export interface CrowdResult extends Seen {
  tasks: number;
  seconds: number;
  kills: number;
  /** Calls of the model that were cut off and made again. */
  again: number;
}

/** How often it tells how far it is. */
const TELL_MS = 10_000;

const Left = z.object({ settled: z.coerce.number(), promised: z.coerce.number() });

/** Lets workers do numbered goals while they are killed one after the other, and looks whether all of it is right. */
export async function runCrowd(postgres: PostgresServer, plan: CrowdPlan): Promise<CrowdResult> {
  const { workers, directories, helpers = 0, tell } = plan;
  const asked: Asked[] = [];
  await using model = await startModelServer(numberedScript, {
    onRequest: (request) => void asked.push(readAsked(request)),
  });
  const url = postgres.url();
  await using crowd = new WorkerCrowd(plan.root, model, url, {
    ...{ workers: workers + helpers, helpers, directories, far: plan.cut?.far },
  });
  await crowd.start();
  const began = Date.now();
  const numbers = new Map<string, Numbered>();
  const ended = new AbortController();
  const killing = killNow(crowd, plan, AbortSignal.any([ended.signal, AbortSignal.timeout(plan.askingMs)]));
  const done = new AbortController();
  const watching = untilDone(postgres, plan, began, numbers, done.signal);
  for (let number = 0; number < plan.tasks && Date.now() - began < plan.askingMs; number += 1) {
    const directory = number % directories;
    const numbered = { number, inParts: helpers > 0 && directory === 0 };
    numbers.set(await crowd.ask(goalOf(numbered), directory), numbered);
  }
  tell(`${numbers.size} tasks were asked for within ${Math.round((Date.now() - began) / 1000)} s`);
  done.abort();
  await watching;
  ended.abort();
  const kills = await killing;
  const seconds = (Date.now() - began) / 1000;
  // Nothing may be written while it is looked at.
  await crowd[Symbol.asyncDispose]();
  const seen = await examineCrowd(url, numbers, asked, crowd);
  return { ...seen, tasks: numbers.size, seconds, kills, again: asked.length - seen.calls };
}

async function killNow(
  crowd: WorkerCrowd,
  { killMs, kills, workers, helpers = 0, cut }: CrowdPlan,
  ended: AbortSignal,
): Promise<number> {
  let killed = 0;
  // One that is started while it cannot reach the database would give up at once.
  const spared = cut ? 1 : 0;
  while (killed < kills) {
    await sleep(killMs, undefined, { signal: ended }).catch(() => {});
    if (ended.aborted) break;
    await crowd.replace(spared + (killed % (workers + helpers - spared)));
    killed += 1;
  }
  return killed;
}

/** Until all were asked for, and nothing is promised any more: not to be worked on, and not to be delivered. */
async function untilDone(
  postgres: PostgresServer,
  plan: CrowdPlan,
  began: number,
  numbers: Map<string, Numbered>,
  areAllAsked: AbortSignal,
): Promise<void> {
  const { patienceMs, tell } = plan;
  const sql = `select (select count(*) from miracle.tasks where status in ('proven', 'checked', 'not-proven')) as settled,
    (select count(*) from miracle.jobs) as promised`;
  let [most, told, changed, restarted] = [0, 0, Date.now(), !plan.restart];
  for (;;) {
    const [left] = await rows(postgres.url(), Left, sql);
    const { settled, promised } = left ?? { settled: 0, promised: 0 };
    plan.cut?.look(settled * 4 >= plan.tasks);
    const isWhole = plan.cut?.isOver ?? true;
    if (areAllAsked.aborted && promised === 0 && settled >= numbers.size && isWhole) return;
    const done = settled + numbers.size - promised;
    if (done > most) [most, changed] = [done, Date.now()];
    if (Date.now() - told > TELL_MS) {
      told = Date.now();
      tell(`${settled} have ended, ${promised} are promised, ${Math.round((told - began) / 1000)} s`);
    }
    // In the middle: of the tasks, or of the time.
    const isHalf = settled * 2 >= plan.tasks || (Date.now() - began) * 2 >= plan.askingMs;
    if (!restarted && isHalf && isWhole) {
      restarted = true;
      tell("the database is restarted");
      await postgres.stop();
      await postgres.run();
    }
    if (Date.now() - changed > patienceMs) return tell(`nothing has ended for ${patienceMs / 1000} s: given up`);
    await sleep(500);
  }
}
