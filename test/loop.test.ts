import { expect, test } from "vitest";
import { eventLine } from "../src/cli/text/event-line.ts";
import type { ApprovalRequest } from "../src/domain/approval.ts";
import { strictSafety } from "../src/domain/settings/safety-settings.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import type { Drift } from "../src/llm/cassette-model.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, call } from "./scripted-goal.ts";

test("a goal goes through plan, tests, a red iteration, reflection and a green one to a proven result", async () => {
  const builder = await AppBuilder.create(byRole(addGoal));
  const app = await builder.open();
  const end = await builder.start(app, { goal: "Write a module that adds two numbers" });
  expect(end).toMatchObject({ ended: "settled", outcome: { status: "proven", delivery: { applied: true } } });
  expect(Object.keys(builder.files())).toEqual(["calc.py", "tests/test_add.py"]);
  const phases = builder.events.flatMap((event) => (event.type === "phase-changed" ? [event.phase] : []));
  expect(phases).toEqual([
    "planning",
    "writing tests",
    "coding",
    "testing",
    "reflecting",
    "coding",
    "testing",
    "success",
    "proving",
    "proven",
  ]);
  const iterations = builder.events.flatMap((event) => (event.type === "iteration-settled" ? [event.iteration] : []));
  expect(iterations).toMatchObject([
    { number: 1, outcome: "red", red: ["tests/test_add.py::test_adds", "tests/test_add.py::test_adds_negative"] },
    { number: 2, outcome: "green", red: [] },
  ]);
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  expect(replayed).toMatchObject({ ended: "same", outcome: { status: "proven" } });
});

test("a test that passes before any change sends the tester back once", async () => {
  const [tests] = addGoal.tester;
  const tautology = call("finish", {
    files: [
      {
        path: "tests/test_add.py",
        content: "def test_adds():\n    assert True\n",
        todo: "add",
        covers: [{ test: "test_adds", requirement: "R1" }],
      },
    ],
  });
  const builder = await AppBuilder.create(byRole({ ...addGoal, tester: [tautology, ...(tests ? [tests] : [])] }));
  const app = await builder.open();
  await builder.startUntil(app, "tests-written");
  const asked = builder.server.requests.filter((request) => request.system.startsWith("You write the tests"));
  expect(asked).toHaveLength(2);
  expect(JSON.stringify(asked[1]?.body)).toContain("it passes before any change");
});

test("tests that can never fail do not make a result", async () => {
  const tautology = call("finish", {
    files: [
      {
        path: "tests/test_add.py",
        content: "def test_adds():\n    assert True\n",
        todo: "add",
        covers: [{ test: "test_adds", requirement: "R1" }],
      },
    ],
  });
  const builder = await AppBuilder.create(byRole({ ...addGoal, tester: [tautology, tautology, tautology] }));
  const app = await builder.open();
  const end = await builder.start(app);
  expect(end).toMatchObject({ outcome: { status: "not-proven", failure: { code: "tests.not-red" } } });
});

test("a coder that rewrites or deletes the given tests finds them as they were", async () => {
  const cheat = [
    call("create_file", { path: "calc.py", content: "def add(a, b):\n    return 5\n" }),
    call("create_file", { path: "tests/test_add.py", content: "def test_adds(): pass\n", overwrite: true }),
    call("run_command", { command: "echo 'def test_adds(): pass' > tests/test_add.py; rm -f tests/test_add.py" }),
    call("finish", { summary: "cheated" }),
    ...addGoal.coder.slice(2),
  ];
  const fixed = cheat.map((step) =>
    step.name === "edit_file"
      ? call("edit_file", { path: "calc.py", oldText: "return 5", newText: "return a + b" })
      : step,
  );
  const builder = await AppBuilder.create(byRole({ ...addGoal, coder: fixed }));
  const app = await builder.open();
  const end = await builder.start(app);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(builder.files()["tests/test_add.py"]).toContain("assert add(2, 3) == 5");
  const undone = "the change to tests/test_add.py was undone: these tests are given";
  const warning = builder.events.find((event) => event.type === "warning-raised" && event.code === "tests.tampered");
  expect(warning && eventLine(warning), "a person is not shown what is written for a model").toBe(`warning: ${undone}`);
  const read = builder.server.requests.flatMap(({ messages }) => messages.map(({ text }) => text ?? ""));
  expect(
    read.some((text) => text.includes(`(${undone})`)),
    "the model reads it behind its tool's output",
  ).toBe(true);
});

test("an existing suite must stay green", async () => {
  const coder = [
    call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a + b\n", overwrite: true }),
    call("finish", { summary: "wrote add, lost sub" }),
    call("create_file", {
      path: "calc.py",
      content: "def sub(a, b):\n    return a - b\n\n\ndef add(a, b):\n    return a + b\n",
      overwrite: true,
    }),
    call("finish", { summary: "both" }),
  ];
  const builder = await AppBuilder.create(byRole({ ...addGoal, coder }), {
    "calc.py": "def sub(a, b):\n    return a - b\n",
    "tests/test_sub.py": "from calc import sub\n\n\ndef test_sub():\n    assert sub(3, 2) == 1\n",
  });
  const app = await builder.open();
  await builder.startUntil(app, "todo-settled");
  const iterations = builder.events.flatMap((event) => (event.type === "iteration-settled" ? [event.iteration] : []));
  expect(iterations.map(({ outcome }) => outcome)).toEqual(["red", "green"]);
});

test("what the coder said reaches the reflector, and a new approach in plain words reaches the coder", async () => {
  const [reflection] = addGoal.reflector;
  const reflector = [
    call("finish", { cause: "it subtracts", hypothesis: "add", next: "plan" }),
    ...(reflection ? [reflection] : []),
  ];
  const script = byRole({ ...addGoal, reflector });
  const builder = await AppBuilder.create((request, index) =>
    JSON.stringify(request.body).includes("Your task now") ? { text: "Use the plus sign." } : script(request, index),
  );
  const app = await builder.open();
  await builder.startUntil(app, "todo-settled");
  const briefOf = (words: string) =>
    builder.server.requests.filter(({ system }) => system.startsWith(words)).map(({ messages }) => messages[0]?.text);
  expect(briefOf("You find out why")[0]).toContain("# What the coder said\nwrote add\n");
  expect(briefOf("You plan software work")[1]).toContain("+    return a - b");
  expect(briefOf("You are a careful").at(-1)).toContain("Another approach, after iteration 1:\nUse the plus sign.");
});

test("a reflector that only talks does not end the work", async () => {
  const script = byRole(addGoal);
  const builder = await AppBuilder.create((request, index) =>
    request.system.startsWith("You find out why") ? { text: "Hm, hard to say." } : script(request, index),
  );
  const app = await builder.open();
  await builder.startUntil(app, "todo-settled");
  expect(builder.events.find((event) => event.type === "todo-settled")).toMatchObject({ ok: true });
});

test("a recording does not choose the sandbox it is re-enacted in, and asks there what it asked before", async () => {
  const builder = await AppBuilder.create(byRole(addGoal));
  const app = await builder.open();
  const settings = builder.settings();
  const end = await builder.start(
    app,
    { apply: false, words: "add" },
    { ...settings, sandbox: { ...settings.sandbox, backend: "process" } },
  );
  const drifted: string[] = [];
  const options = { signal: new AbortController().signal, onDrift: ({ path }: Drift) => drifted.push(path) };
  const again = await app.reenact(
    await app.recording(end.task),
    builder.directory,
    { sandbox: settings.sandbox, safety: settings.safety },
    options,
  );
  const { readFrozen } = await import("../src/journal/journal.ts");
  const frozen = await readFrozen(await app.recording(again.task));
  expect(frozen.settings.sandbox.backend).toBe("bubblewrap");
  expect(drifted).toEqual([]);
  expect(again).toMatchObject({ outcome: { status: "proven" } });
});

test("a plan and a diff are shown and asked about, and a no changes nothing", async () => {
  const asked: string[] = [];
  const answering =
    (no: "plan" | "diff") =>
    async ({ subject, detail }: ApprovalRequest) => {
      asked.push(`${subject}: ${detail.includes("calc")}`);
      return { granted: subject !== no, by: "a person", reason: "" };
    };
  const builder = await AppBuilder.create(byRole(addGoal));
  const app = await builder.open();
  const settings = builder.settings({ confirm: ["plan", "diff"] });
  const refused = await builder.start(app, {}, settings, { ask: answering("diff") });
  expect(refused).toMatchObject({ outcome: { status: "proven", delivery: { applied: false, reason: "declined" } } });
  const other = await AppBuilder.create(byRole(addGoal));
  const declined = await other.start(await other.open(), {}, other.settings({ confirm: ["plan"] }), {
    ask: answering("plan"),
  });
  expect(declined).toMatchObject({ outcome: { status: "not-proven", failure: { code: "declined.plan" } } });
  expect(asked).toEqual(["plan: true", "diff: true", "plan: true"]);
  expect([builder.files(), other.files()]).toEqual([{}, {}]);
});

test("a recording does not choose the policy it is re-enacted under", async () => {
  const unsafe = call("create_file", { path: "calc.py", content: "def add(a, b):\n    return eval(f'{a} + {b}')\n" });
  const builder = await AppBuilder.create(
    byRole({ ...addGoal, coder: [unsafe, call("finish", { summary: "evaluated" })] }),
  );
  const app = await builder.open();
  const lax = builder.settings({ safety: { ...strictSafety, approve: ["code"] } });
  const end = await builder.start(app, { apply: false }, lax);
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const options = { signal: new AbortController().signal, onDrift: () => {} };
  const { sandbox, safety } = builder.settings();
  const before = builder.events.length;
  await app.reenact(await app.recording(end.task), builder.directory, { sandbox, safety }, options).catch(() => {});
  const refused = builder.events.slice(before).filter((event) => event.type === "safety-refused");
  expect(refused).toMatchObject([{ what: "code", subject: "calc.py" }]);
});
