import { expect, test } from "vitest";
import type { Drift } from "../src/llm/cassette-model.ts";
import { AppBuilder } from "./app-builder.ts";
import type { ServedRequest } from "./model-server.ts";
import { addGoal, byRole, call, extraRoleOf, roleOf, type ScriptedRoles } from "./scripted-goal.ts";

const [planned] = addGoal.planner;
const rough = { ...Object(planned?.arguments), vague: "nobody says what calc is to do" };
const precise = {
  ...Object(planned?.arguments),
  requirements: [
    { id: "R1", text: "calc.add(a, b) returns the sum", quote: "only add" },
    { id: "R2", text: "operands are integers", quote: "only integers" },
  ],
};
const question = { question: "Which operations?", assumption: "all four" };

async function opened(roles: Partial<ScriptedRoles>) {
  const seen: ServedRequest[] = [];
  const script = byRole({ ...addGoal, ...roles });
  const builder = await AppBuilder.create((request, index) => {
    seen.push(request);
    return script(request, index);
  });
  const shown = (role: string) =>
    seen
      .filter((request) => (extraRoleOf(request) ?? roleOf(request)) === role)
      .map(({ messages }) => JSON.stringify(messages));
  return { builder, app: await builder.open(), shown };
}

test("a vague goal is made precise: the person's answers are words of the goal, and what nobody answered is assumed", async () => {
  const { builder, app, shown } = await opened({
    planner: [call("finish", rough), call("finish", precise)],
    reprompter: [
      call("finish", { goal: "R1 all four", questions: [question, { question: "Signed?", assumption: "yes" }] }),
      call("finish", { goal: "R1: calc.add adds. R2: only integers." }),
    ],
    tester: [],
  });
  const asked: string[] = [];
  const end = await builder.start(app, { goal: "a calc module" }, builder.settings({ clarify: "auto" }), {
    ask: async (request) => {
      asked.push(request.question);
      const answers = request.question === "Which operations?";
      return { granted: answers, by: "me", reason: answers ? "only add" : "" };
    },
  });
  expect(asked).toEqual(["Which operations?", "Signed?"]);
  expect(shown("reprompter").at(-1)).toContain("Which operations? only add");
  expect(shown("reprompter").at(-1)).toMatch(/Your draft.*R1 all four.*Signed\? \(no answer: yes\)/);
  expect(shown("planner").at(-1)).toContain("Made precise:");
  const plan = builder.events.find((event) => event.type === "plan-made");
  // Words of the reprompter's own are no words of the person.
  expect(plan?.spec.requirements.map(({ id, assumption }) => [id, assumption])).toEqual([
    ["R1", false],
    ["R2", true],
  ]);
  const clarified = builder.events.find((event) => event.type === "goal-clarified");
  expect(clarified?.asked.map(({ answer }) => answer)).toEqual(["only add", ""]);

  // Once more with the recorded model: the person is not asked again.
  const drifted: string[] = [];
  const options = { signal: new AbortController().signal, onDrift: ({ path }: Drift) => drifted.push(path) };
  const { sandbox, safety } = builder.settings();
  await app.reenact(await app.recording(end.task), builder.directory, { sandbox, safety }, options).catch(() => {});
  expect(builder.events.filter((event) => event.type === "goal-clarified").at(-1)?.asked).toEqual(clarified?.asked);
  expect([asked.length, builder.events.filter((event) => event.type === "goal-clarified").length, drifted]).toEqual([
    2,
    2,
    [],
  ]);
});

test("a goal that contradicts itself ends before it is planned, and without the setting nobody is asked", async () => {
  const { builder, app, shown } = await opened({
    planner: [call("finish", rough)],
    reprompter: [call("finish", { goal: "-", contradiction: "it must both add and never add" })],
    tester: [],
  });
  const end = await builder.start(app, { goal: "a calc module" }, builder.settings({ clarify: "always" }));
  expect(end).toMatchObject({ outcome: { failure: { code: "goal.contradiction" } } });
  expect(shown("planner")).toEqual([]);
  await builder.start(app, { goal: "a calc module" });
  expect([shown("planner").length, shown("reprompter").length]).toEqual([1, 1]);
});
