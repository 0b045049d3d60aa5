import { expect, test } from "vitest";
import { PlanFile } from "../src/domain/plan/plan-file.ts";
import { AppBuilder } from "./app-builder.ts";
import { partOf, twoParts, twoPartsGoal } from "./two-parts-goal.ts";

test("a todo goes on where the network failed, and is begun anew after its time is up, as often as it says", async () => {
  let refused = 0;
  const builder = await AppBuilder.create((request) => {
    // As often as one call is tried; the todo's own retry then comes through.
    if (partOf(request) === "double" && refused < 2) {
      refused += 1;
      return { fault: "status", status: 503 };
    }
    return twoParts("chore")(request);
  });
  const todo = { title: "write", requirements: ["R1"], retries: 1 };
  const plan = PlanFile.parse({
    spec: {
      title: "numbers",
      kind: "chore",
      language: "javascript",
      requirements: [
        { id: "R1", text: "double(n), exported by src/index.js" },
        { id: "R2", text: "halve(n), exported by src/index.js" },
      ],
    },
    plan: {
      todos: [
        { ...todo, id: "double", title: "write double" },
        { ...todo, id: "halve", title: "write halve", requirements: ["R2"], dependsOn: ["double"], timeoutMs: 1 },
      ],
    },
  });
  const app = await builder.open();
  const end = await builder.start(app, { goal: twoPartsGoal, plan });
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { kind: "timeout", code: "todo.timeout" } } });
  expect(refused).toBe(2);
  const settled = builder.events.flatMap((event) => (event.type === "todo-settled" ? [[event.todo, event.ok]] : []));
  expect(settled).toEqual([
    ["double", true],
    ["halve", false],
  ]);
  const strands = await (await app.recording(end.task)).strands();
  expect(strands).toEqual(["task", "todo:double", "todo:halve", "todo:halve/try:2"]);
});
