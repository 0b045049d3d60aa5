import { expect, test } from "vitest";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call, roleOf, type ScriptedRoles } from "./scripted-goal.ts";

const GOAL = "Write a module that adds two numbers";
const file = (name: string, content: string, heldOut: boolean) => ({
  path: `tests/${name}.py`,
  content,
  ...(heldOut && { heldOut }),
  todo: "add",
  covers: [{ test: name, requirement: "R1" }],
});
const adds = (name: string, a: number, b: number, heldOut: boolean) =>
  file(name, `from calc import add\n\n\ndef ${name}():\n    assert add(${a}, ${b}) == ${a + b}\n`, heldOut);
const tester = [call("finish", { files: [adds("test_adds", 2, 3, false), adds("test_unseen", 2031, 17, true)] })];
const write = (content: string) => call("create_file", { path: "calc.py", content, overwrite: true });
const done = call("finish", { summary: "done" });
const right = write("def add(a, b):\n    return a + b\n");
/** By a name that stands nowhere in its text. */
const onlyTested = write(
  'import sys\n\nSTRICT = {"plug" "gy"} <= sys.modules.keys()\n\n\ndef add(a, b):\n    return a + b if STRICT else 0\n',
);

async function run(roles: ScriptedRoles) {
  const builder = await AppBuilder.create(byRole({ ...addGoal, ...roles }), {});
  const app = await builder.open();
  const end = await builder.start(app, { goal: GOAL });
  const evidence = builder.events.findLast((event) => event.type === "evidence-gathered")?.evidence;
  const told = builder.server.requests
    .filter((request) => roleOf(request) === "coder")
    .map((request) => JSON.stringify(request.body))
    .join("\n");
  return { app, end, evidence, told };
}

test("code that works only where it is tested goes back once, without a word of the test, and is proven when mended", async () => {
  const { app, end, evidence, told } = await run({ tester, coder: [onlyTested, done, right, done] });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(told).toContain("works only where it is tested");
  expect(told).not.toMatch(/2031|2048|test_unseen/);
  expect(evidence?.witness).toEqual({
    problem: null,
    tests: [{ id: "tests/test_unseen.py::test_unseen", outcome: "passed", message: "", why: "" }],
  });
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  expect(replayed).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

test("code that goes on to work only where it is tested is not proven, and the evidence says why", async () => {
  const { end, evidence } = await run({ tester, coder: [onlyTested, done, onlyTested, done] });
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "witness.differs" } } });
  expect(evidence?.requirements[0]).toMatchObject({ support: "none", doubt: "only-tested" });
  expect(evidence?.witness?.tests).toMatchObject([
    { outcome: "failed", message: expect.stringContaining("assert add(") },
  ]);
});
