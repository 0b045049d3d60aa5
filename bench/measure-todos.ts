import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Answer, ChatRequest, ModelServer } from "./model-server.ts";
import type { Place } from "./place.ts";
import { miracleArguments, runNode } from "./run-agent.ts";

const TODOS = Array.from({ length: 8 }, (_, index) => `part-${index}`);
const AT_ONCE = 4;

/** A model thinks: without that, todos at once would only share the processor. */
const THINKING_MS = 1500;

const PLAN = {
  goal: `Make ${TODOS.map((todo) => `${todo}/name.txt`).join(", ")}, each with its name in it.`,
  title: "eight files",
  kind: "chore",
  language: "python",
  requirements: TODOS.map((todo, index) => ({ id: `R${index + 1}`, text: `${todo}/name.txt holds ${todo}`, quote: todo })),
  todos: TODOS.map((id, index) => ({
    ...{ id, title: `write ${id}/name.txt`, requirements: [`R${index + 1}`], files: [`${id}/**`] },
    expected_artifacts: [`${id}/name.txt`],
  })),
};

/** Eight todos that do not depend on each other, four at once, beside one after another. */
export const measureTodos = (place: Place, server: ModelServer): Measurement =>
  measurement(
    ["todos-at-once"],
    async () => ({ one: await workOff(place, server, 1), four: await workOff(place, server, AT_ONCE) }),
    (samples) => {
      const [one, four] = [median(samples.map((sample) => sample.one)), median(samples.map((sample) => sample.four))];
      return [
        {
          name: "todos-at-once",
          what: "eight independent todos: four at once ÷ one by one",
          value: four / one,
          unit: "×",
          bar: 0.7,
          detail: `${(four / 1000).toFixed(1)} s, ${(one / 1000).toFixed(1)} s; each answer of the model takes ${THINKING_MS} ms`,
        },
      ];
    },
  );

async function workOff(place: Place, server: ModelServer, atOnce: number): Promise<number> {
  const cwd = place.project({ "README.md": "# parts\n" });
  const plan = join(place.directory("plans"), "eight.json");
  writeFileSync(plan, JSON.stringify(PLAN));
  server.follow(answerSlowly);
  const flags = ["--plan", plan, "--effort", "quick", "--parallel", String(atOnce), "--yes"];
  const { wallMs } = await runNode(miracleArguments(server.baseUrl, PLAN.goal, flags), place, { cwd });
  const missing = TODOS.filter((todo) => !existsSync(join(cwd, todo, "name.txt")));
  if (missing.length > 0) throw new Error(`todos were not worked on: ${missing.join(", ")}`);
  return wallMs;
}

async function answerSlowly(request: ChatRequest): Promise<Answer> {
  await sleep(THINKING_MS);
  const todo = /write (part-\d)\/name\.txt/.exec(JSON.stringify(request.messages))?.[1];
  const isDone = request.messages.some(({ role }) => role === "assistant");
  if (isDone || todo === undefined) return { tool: "finish", arguments: { summary: "done" } };
  return { tool: "create_file", arguments: { path: `${todo}/name.txt`, content: `${todo}\n` } };
}
