import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { rows } from "../evals/workers/examine-crowd.ts";
import { WorkerCrowd } from "../evals/workers/worker-crowd.ts";
import { type ScriptedAnswer, type ServedRequest, startModelServer } from "../test/model-server.ts";
import { PostgresServer } from "../test/postgres/postgres-server.ts";
import { call, roleOf } from "../test/scripted-goal.ts";
import { PLAN, TESTS, THINKING_MS, TODOS } from "./measure-todos.ts";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Place } from "./place.ts";

const WORKERS = 4;
const SETTINGS = "effort: quick\narchitect: never\nlimits: { parallel: 2 }\n";

const PLANNED = {
  ...PLAN,
  todos: PLAN.todos.map(({ expected_artifacts: artifacts, ...todo }) => ({ ...todo, artifacts })),
};

const Ended = z.object({ status: z.string() });

/** A plan of eight todos that do not depend on each other, on four workers, beside one. No row without PostgreSQL. */
export const measureLending = (place: Place): Measurement =>
  measurement(
    ["todos-on-workers"],
    async () => {
      const one = await workOff(place, 1);
      const four = await workOff(place, WORKERS);
      return one === null || four === null ? [] : [{ one, four }];
    },
    (taken) => {
      const samples = taken.flat();
      if (samples.length === 0) return [];
      const [one, four] = [median(samples.map((sample) => sample.one)), median(samples.map((sample) => sample.four))];
      return [
        {
          name: "todos-on-workers",
          what: "eight independent todos: four workers ÷ one",
          value: four / one,
          unit: "×",
          bar: 1,
          detail: `${(four / 1000).toFixed(1)} s, ${(one / 1000).toFixed(1)} s; two todos at once on each; each answer of the model takes ${THINKING_MS} ms`,
        },
      ];
    },
  );

/** Null where there is no PostgreSQL. Each team has a server of its own. */
async function workOff(place: Place, workers: number): Promise<number | null> {
  const server = await PostgresServer.start();
  if (typeof server === "string") {
    process.stderr.write(`todos on workers are left out: ${server}\n`);
    return null;
  }
  await using _ = server;
  const url = server.url();
  const root = place.directory(`team-of-${workers}`);
  rmSync(root, { recursive: true, force: true });
  await using model = await startModelServer(answerSlowly);
  const size = { workers, directories: 1, concurrency: 1, settings: SETTINGS };
  await using crowd = new WorkerCrowd(root, model, url, size);
  await crowd.start();
  const began = performance.now();
  const task = await crowd.ask(PLAN.goal, 0);
  for (;;) {
    const [row] = await rows(url, Ended, `select status from miracle.tasks where id = '${task}'`);
    if (row?.status === "checked") break;
    if (row?.status !== "running") throw new Error(`the plan ended as ${row?.status}`);
    await sleep(50);
  }
  const wallMs = performance.now() - began;
  const [directory = ""] = crowd.directories;
  // The server delivers what the workers have done.
  const missing = () => TODOS.filter((todo) => !existsSync(join(directory, "src", `${todo}.js`)));
  for (let looks = 0; missing().length > 0 && looks < 300; looks += 1) await sleep(100);
  if (missing().length > 0) throw new Error(`todos were not worked on: ${missing().join(", ")}`);
  return wallMs;
}

async function answerSlowly(request: ServedRequest): Promise<ScriptedAnswer> {
  await sleep(THINKING_MS);
  const role = roleOf(request);
  if (role === "planner") return { toolCalls: [call("finish", { ...PLANNED, size: "large" })] };
  if (role === "tester") return { toolCalls: [call("finish", { files: TESTS })] };
  const todo = /write src\/(part\d)\.js/.exec(JSON.stringify(request.messages))?.[1];
  const isDone = request.messages.some((message) => message.role === "assistant");
  if (isDone || todo === undefined) return { toolCalls: [call("finish", { summary: "done" })] };
  const content = `export const ${todo} = () => "${todo}";\n`;
  return { toolCalls: [call("create_file", { path: `src/${todo}.js`, content })] };
}
