import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import type { ScriptedAnswer } from "./model-server.ts";
import { call, extraRoleOf } from "./scripted-goal.ts";
import { partOf, twoParts, twoPartsGoal } from "./two-parts-goal.ts";

test("todos that do not depend on each other are worked on at once, merged, and what does not fit is worked again", async () => {
  // Neither coder gets an answer before both have asked: one after the other, this would never end.
  const asked = { double: Promise.withResolvers<void>(), halve: Promise.withResolvers<void>() };
  const builder = await AppBuilder.create(async (request) => {
    const part = partOf(request);
    if (part === "double" || part === "halve") {
      asked[part].resolve();
      await Promise.all([asked.double.promise, asked.halve.promise]);
    }
    return twoParts("feature")(request);
  });
  const app = await builder.open();
  const { limits } = builder.settings();
  const settings = builder.settings({ limits: { ...limits, parallel: 2 } });
  const end = await builder.start(app, { goal: twoPartsGoal }, settings);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(builder.files()).toMatchObject({
    "src/index.js": 'export { double } from "./double.js";\nexport { halve } from "./halve.js";\n',
    "src/double.js": expect.stringContaining("n * 2"),
    "src/halve.js": expect.stringContaining("n / 2"),
  });

  const events = builder.events.filter((event) => event.type === "todo-settled");
  expect(events.map((event) => event.todo).sort()).toEqual(["double", "halve"]);
  expect(builder.events).toContainEqual(
    expect.objectContaining({ code: "merge.conflict", message: expect.stringContaining("src/index.js") }),
  );
  const again = builder.server.requests.find((request) => partOf(request) === "again");
  expect(again?.messages[0]?.text).toContain('+export { halve } from "./halve.js";');
  expect(again?.messages[0]?.text).toContain("- test/double.test.js");

  const recording = await app.recording(end.task);
  expect(await recording.strands()).toEqual(["task", "todo:double", "todo:halve", "todo:halve/rework:1"]);
  expect(await replayTask(recording, openLanguages())).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

/** Each part with an index of its own: they fit. */
function apart(answer: ScriptedAnswer): ScriptedAnswer {
  const text = JSON.stringify(answer);
  const part = /export \{ (\w+) \}/.exec(text)?.[1] ?? "";
  const tests = text.replace(/import \{ (\w+) \} from (\\"..\/src\/)index/g, "import { $1 } from $2$1");
  return JSON.parse(tests.replaceAll('"src/index.js"', `"src/${part}-index.js"`));
}

test("what the contract promises and no part has made is red once the parts are together, and made then", async () => {
  const functions = [{ file: "src/third.js", name: "third", parameters: [{ name: "n", type: "number" }] }];
  const contract = { title: "numbers", language: "javascript", functions };
  const builder = await AppBuilder.create((request) => {
    if (extraRoleOf(request) === "architect")
      return { toolCalls: [call("finish", { contract, design: "three functions" })] };
    const text = request.messages[0]?.text ?? "";
    if (!text.includes("The parts were made apart")) return apart(twoParts("chore")(request));
    expect(text).toContain("src/third.js is missing; the contract has third in it");
    const content = "export function third(n) {\n  return n / 3;\n}\n";
    const made = call("create_file", { path: "src/third.js", content });
    return { toolCalls: [request.messages.length > 1 ? call("finish", { summary: "wrote third" }) : made] };
  });
  const app = await builder.open();
  const { limits } = builder.settings();
  const settings = builder.settings({ limits: { ...limits, parallel: 2 }, architect: "always" });
  // The goal names one file for both.
  const leave = ["src/double-index.js", "src/halve-index.js"];
  const end = await builder.start(app, { goal: twoPartsGoal, leave }, settings);
  expect(end, JSON.stringify(end)).toMatchObject({ outcome: { status: "checked" } });
  expect(builder.files()).toMatchObject({ "src/third.js": expect.stringContaining("n / 3") });
});
