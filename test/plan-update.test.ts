import { expect, test } from "vitest";
import type { App } from "../src/app.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { listMessages, tellTask } from "../src/journal/messages.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import type { ScriptedAnswer, ServedRequest } from "./model-server.ts";
import { call, roleOf } from "./scripted-goal.ts";

/*
 * A plan whose one todo turns out to be too large: after a red iteration the planner splits what is left. As a chore,
 * without held-out tests, the walk takes a fraction of the time.
 */

const testOf = (name: string) =>
  `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${name} } from "../src/${name}.js";\n\ntest("${name} works", () => {\n  assert.equal(${name}(4), ${name === "double" ? 8 : 2});\n});\n`;

const testFile = (name: string, requirement: string) => ({
  path: `test/${name}.test.js`,
  content: testOf(name),
  todo: "numbers",
  covers: [{ test: `${name} works`, requirement }],
});

const planned = call("finish", {
  size: "large",
  title: "numbers",
  kind: "chore",
  language: "javascript",
  requirements: [
    { id: "R1", text: "double(n) in src/double.js", quote: "doubles" },
    { id: "R2", text: "halve(n) in src/halve.js", quote: "halves numbers" },
  ],
  todos: [{ id: "numbers", title: "write both", requirements: ["R1", "R2"] }],
});

const split = (requirements: [string[], string[]]) =>
  call("finish", {
    why: "two functions that have nothing to do with each other",
    todos: [
      { id: "double", title: "write double", requirements: requirements[0], artifacts: ["src/double.js"] },
      { id: "halve", title: "write halve", requirements: requirements[1], artifacts: ["src/halve.js"] },
    ],
  });

const code = (name: string, operator: string) =>
  call("create_file", { path: `src/${name}.js`, content: `export const ${name} = (n) => n ${operator} 2;\n` });

function script(request: ServedRequest): ScriptedAnswer {
  const turn = request.messages.filter((message) => message.role === "assistant").length;
  const text = request.messages[0]?.text ?? "";
  const one = (answer: ReturnType<typeof call>): ScriptedAnswer => ({ toolCalls: [answer] });
  switch (roleOf(request)) {
    case "planner":
      if (text.includes("# The person's new words")) return { text: "a hint" };
      if (!text.includes("# Todos that are left")) return one(planned);
      // The first try loses a requirement, which is refused.
      return one(split(turn === 0 ? [["R1"], ["R1"]] : [["R1"], ["R2"]]));
    case "tester":
      return one(call("finish", { files: [testFile("double", "R1"), testFile("halve", "R2")] }));
    case "reflector":
      return one(call("finish", { cause: "half is missing", hypothesis: "split it", next: "plan" }));
    default: {
      if (turn > 0) return one(call("finish", { summary: "wrote it" }));
      const isTold = text.includes("mind the style");
      const mended = call("edit_file", { path: "src/double.js", oldText: "n + 2", newText: "n * 2" });
      if (text.includes("write double."))
        return one(isTold ? mended : code("double", text.includes("in turn") ? "*" : "+"));
      if (text.includes("write halve.")) return one(code("halve", "/"));
      return one(call("create_file", { path: "src/notes.md", content: "halves come later\n" }));
    }
  }
}

test("a plan that the work has shown to be wrong is split, told as a diff, and worked on at once", async () => {
  let app: App | undefined;
  let task = "";
  const told = new Set<string>();
  const builder = await AppBuilder.create(async (request) => {
    // While both parts are under way a person says something: both come to a boundary or an end first.
    const part = /write (double|halve)\./.exec(request.messages[0]?.text ?? "")?.[1];
    if (app && part && roleOf(request) === "coder" && told.size === 0) {
      told.add(part);
      await tellTask(app.store, task, { id: "m1", text: "mind the style", by: "ada", at: 1 });
    }
    return script(request);
  });
  app = await builder.open();
  const limits = { ...builder.settings().limits, parallel: 2, planUpdates: 1 };
  const end = await builder.start(
    app,
    { goal: "A module that doubles and halves numbers" },
    builder.settings({ limits }),
    {
      onTask: (id) => {
        task = id;
      },
    },
  );
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(Object.keys(builder.files())).toContain("src/double.js");
  expect(Object.keys(builder.files())).toContain("src/halve.js");
  const [update, note] = builder.events.filter((event) => event.type === "plan-updated");
  expect(update).toMatchObject({
    why: "two functions that have nothing to do with each other",
    changes: { todos: { removed: [{ id: "numbers" }], added: [{ id: "double" }, { id: "halve" }], changed: [] } },
  });
  expect(note).toMatchObject({ amendment: { words: "mind the style" } });
  expect(await listMessages(app.store, task)).toMatchObject([{ text: "mind the style" }]);
  const settled = builder.events.filter((event) => event.type === "todo-settled").map(({ todo, ok }) => [todo, ok]);
  expect(settled.sort()).toEqual([
    ["double", true],
    ["halve", true],
  ]);
  // The part that was red goes on where it was: its second iteration, on its own tree.
  const iterations = builder.events.flatMap((event) =>
    event.type === "iteration-settled"
      ? [`${event.iteration.todo} ${event.iteration.number} ${event.iteration.outcome}`]
      : [],
  );
  expect(iterations.filter((line) => line.startsWith("double"))).toEqual(["double 1 red", "double 2 green"]);
  // Twice for the new plan, of which the first could not be used, and once for the message.
  const planners = builder.server.requests.filter((request) => roleOf(request) === "planner");
  expect(planners.filter(({ messages }) => messages[0]?.text.includes("# Todos that are left")).length).toBe(3);
  expect(await replayTask(await app.recording(task), openLanguages())).toMatchObject({ ended: "same" });
});

test("the parts of a split todo are done in turn, each with its own tests alone", async () => {
  const builder = await AppBuilder.create(script);
  const app = await builder.open();
  const limits = { ...builder.settings().limits, parallel: 1, planUpdates: 1 };
  const goal = "A module that doubles and halves numbers, in turn";
  expect(await builder.start(app, { goal }, builder.settings({ limits }))).toMatchObject({
    outcome: { status: "checked" },
  });
  const settled = builder.events.filter((event) => event.type === "todo-settled").map(({ todo, ok }) => [todo, ok]);
  expect(settled).toEqual([
    ["double", true],
    ["halve", true],
  ]);
  expect(Object.keys(builder.files())).toEqual(expect.arrayContaining(["test/double.test.js", "test/halve.test.js"]));
});

test("what a person says and no planner can make part of the plan ends without a proof, and the work is kept", async () => {
  let tell = async () => {};
  const builder = await AppBuilder.create(async (request) => {
    if (roleOf(request) === "coder") await tell();
    const isTold = request.messages[0]?.text.includes("# The person's new words");
    return isTold ? { toolCalls: [split([["R1"], ["R2"]])] } : script(request);
  });
  const app = await builder.open();
  const limits = { ...builder.settings().limits, parallel: 1, planUpdates: 0 };
  const end = await builder.start(
    app,
    { goal: "A module that doubles and halves numbers" },
    builder.settings({ limits }),
    {
      onTask: (id) => {
        tell = async () => {
          tell = async () => {};
          await tellTask(app.store, id, { id: "m1", text: "negative numbers are an error", by: "ada", at: 1 });
        };
      },
    },
  );
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "amendment.unfinished" } } });
  expect(end).toMatchObject({ outcome: { tree: expect.stringMatching(/^[0-9a-f]{40}$/) } });
});
