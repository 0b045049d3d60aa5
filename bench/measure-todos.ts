import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Measurement, measurement, median } from "./measurement.ts";
import type { Answer, ChatRequest, ModelServer } from "./model-server.ts";
import type { Place } from "./place.ts";
import { miracleArguments, runNode } from "./run-agent.ts";

export const TODOS = Array.from({ length: 8 }, (_, index) => `part${index}`);
const AT_ONCE = 4;

/** A model thinks: without that, todos at once would only share the processor. */
export const THINKING_MS = 1500;

export const PLAN = {
  goal: `Write ${TODOS.join(", ")}: functions that give back their own names, each in a file of its own.`,
  title: "eight parts",
  // As a chore there is nothing to prove beyond the visible tests: what is compared is the work on the todos.
  kind: "chore",
  language: "javascript",
  requirements: TODOS.map((todo, index) => ({
    ...{ id: `R${index + 1}`, text: `${todo}() of src/${todo}.js gives back "${todo}"`, quote: todo },
  })),
  todos: TODOS.map((id, index) => ({
    ...{ id, title: `write src/${id}.js`, requirements: [`R${index + 1}`], expected_artifacts: [`src/${id}.js`] },
  })),
};

export const TESTS = TODOS.map((todo, index) => ({
  path: `test/${todo}.test.js`,
  todo,
  covers: [{ test: `${todo} gives its name`, requirement: `R${index + 1}` }],
  content: `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${todo} } from "../src/${todo}.js";
test("${todo} gives its name", () => assert.equal(${todo}(), "${todo}"));
`,
}));

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
          bar: 1,
          detail: `${(four / 1000).toFixed(1)} s, ${(one / 1000).toFixed(1)} s; each answer of the model takes ${THINKING_MS} ms`,
        },
      ];
    },
  );

async function workOff(place: Place, server: ModelServer, atOnce: number): Promise<number> {
  const cwd = place.project({ "package.json": '{ "type": "module" }\n' });
  const plan = join(place.directory("plans"), "eight.json");
  writeFileSync(plan, JSON.stringify(PLAN));
  server.follow(answerSlowly);
  const flags = ["--plan", plan, "--effort", "quick", "--parallel", String(atOnce), "--yes"];
  const { wallMs } = await runNode(miracleArguments(server.baseUrl, PLAN.goal, flags), place, { cwd });
  const missing = TODOS.filter((todo) => !existsSync(join(cwd, "src", `${todo}.js`)));
  if (missing.length > 0) throw new Error(`todos were not worked on: ${missing.join(", ")}`);
  return wallMs;
}

async function answerSlowly({ messages, tools }: ChatRequest): Promise<Answer> {
  await sleep(THINKING_MS);
  const offered = tools.map((tool) => tool.function);
  const finish = offered.find(({ name }) => name === "finish")?.parameters.properties ?? {};
  if ("files" in finish) return { tool: "finish", arguments: { files: TESTS } };
  const todo = /write src\/(part\d)\.js/.exec(JSON.stringify(messages))?.[1];
  const isDone = messages.some(({ role }) => role === "assistant");
  if (isDone || todo === undefined) return { tool: "finish", arguments: { summary: "done" } };
  const content = `export const ${todo} = () => "${todo}";\n`;
  return { tool: "create_file", arguments: { path: `src/${todo}.js`, content } };
}
