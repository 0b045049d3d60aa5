import { expect, test } from "vitest";
import { z } from "zod";
import { undoTask } from "../src/app/deliver-task.ts";
import { strictSafety } from "../src/domain/settings/safety-settings.ts";
import { replayTask } from "../src/engine/replay-task.ts";
import { openLanguages } from "../src/languages/open-languages.ts";
import { findTask } from "../src/store/tasks.ts";
import { answeringPerson } from "./answering-person.ts";
import { AppBuilder } from "./app-builder.ts";
import { addGoal, byRole, byTurn, call } from "./scripted-goal.ts";

const evil = 'def calculate(text):\n    return eval(text)\n\n\nopen("executed", "w").write("x")\n';
const harmless = "def calculate(text):\n    return float(text)\n";
const finish = call("finish", { summary: "done" });

const refusals = (builder: AppBuilder) => builder.events.filter((event) => event.type === "safety-refused");
const answersOf = (builder: AppBuilder) =>
  builder.server.requests.at(-1)?.messages.flatMap((message) => (message.role === "tool" ? [message.text] : [])) ?? [];

async function runDirect(builder: AppBuilder, change = {}, options = {}) {
  const app = await builder.open();
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, ...change } });
  const end = await builder.start(app, {}, settings, options);
  const replayed = await replayTask(await app.recording(end.task), openLanguages());
  return { end, replayed, app };
}

test("code with a new finding is not run by any command: the agent reads what is wrong, mends it, and goes on", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("create_file", { path: "calculator.py", content: evil }),
      call("run_command", { command: "python3 calculator.py; echo ran > ran.txt" }),
      call("run_tests", {}),
      call("create_file", { path: "calculator.py", content: harmless, overwrite: true }),
      call("run_command", { command: "python3 calculator.py; echo ran > ran.txt" }),
      finish,
    ),
  );
  const { end, replayed } = await runDirect(builder);
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(builder.files()).toEqual({ "calculator.py": harmless, "ran.txt": "ran\n" });
  const [, command, tests, , again] = answersOf(builder);
  expect(command).toMatch(
    /^nothing was run: the change has 1 finding .*\ncalculator\.py:2:\d+ python\.\S*eval\S*: .* Instead: /,
  );
  expect(tests).toBe(command);
  expect(again).toBe("no output, exit code 0");
  expect(refusals(builder)).toMatchObject([
    { what: "code", subject: "calculator.py", reasons: [{ rule: expect.stringContaining("eval") }] },
    { what: "code" },
  ]);
  expect(replayed).toMatchObject({ ended: "same" });
});

test.each([
  { findings: "refuse" as const, answers: /^nothing was run: .*a\.py:1:8 python\.strict\.import/s, asked: [] },
  { findings: "ask" as const, answers: /^no output, exit code 0/, asked: ["code"] },
])("under strict rules an import of os does not run before it is gone or allowed ($findings)", async (wanted) => {
  const builder = await AppBuilder.create(
    byTurn(
      call("create_file", { path: "a.py", content: "import os\n" }),
      call("run_command", { command: "python3 a.py" }),
      finish,
    ),
  );
  const { findings } = wanted;
  const { asked, ask } = answeringPerson(true);
  const code = { rules: {}, allow: [], strict: true };
  await runDirect(builder, { findings, code }, { ask });
  expect(answersOf(builder)[1]).toMatch(wanted.answers);
  expect(asked.map(({ subject }) => subject)).toEqual(wanted.asked);
});

test("a file that blocks every command can be deleted, and undo brings back what was there before", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("create_file", { path: "calculator.py", content: evil }),
      call("run_command", { command: "rm calculator.py" }),
      call("delete_file", { path: "calculator.py" }),
      call("delete_file", { path: "old.txt" }),
      call("delete_file", { path: "missing.txt" }),
      call("run_command", { command: "echo ran > ran.txt" }),
      finish,
    ),
    { "old.txt": "old\n" },
  );
  const { end, app } = await runDirect(builder);
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(answersOf(builder).slice(1, 5)).toEqual([
    expect.stringMatching(/^nothing was run/),
    "deleted calculator.py",
    "deleted old.txt",
    expect.stringContaining("missing.txt does not exist"),
  ]);
  expect(builder.files()).toEqual({ "ran.txt": "ran\n" });
  await undoTask(app, await findTask(app.store, end.task), false, new AbortController().signal);
  expect(builder.files()).toEqual({ "old.txt": "old\n" });
});

test("what the base had already does not block, wherever its line moves; a second one does", async () => {
  const base = "def old(text):\n    return eval(text)\n";
  const builder = await AppBuilder.create(
    byTurn(
      call("edit_file", { path: "old.py", oldText: "def old", newText: '"""Older than this task."""\n\n\ndef old' }),
      call("run_command", { command: "echo moved > moved.txt" }),
      call("edit_file", { path: "old.py", oldText: "    return", newText: "    eval(text + '0')\n    return" }),
      call("run_command", { command: "echo second > second.txt" }),
      call("run_command", { command: "echo third > third.txt" }),
      call("edit_file", { path: "old.py", oldText: "    eval(text + '0')\n", newText: "" }),
      finish,
    ),
    { "old.py": base },
  );
  const { end } = await runDirect(builder);
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(Object.keys(builder.files())).toEqual(["moved.txt", "old.py"]);
  expect(refusals(builder)).toHaveLength(2);
});

test("what only moved to another place is not new", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("run_command", { command: "mkdir -p pkg && mv old.py pkg/renamed.py" }),
      call("run_command", { command: "echo ran > ran.txt" }),
      finish,
    ),
    { "old.py": "def old(text):\n    return eval(text)\n" },
  );
  await runDirect(builder);
  expect(Object.keys(builder.files())).toEqual(["pkg/renamed.py", "ran.txt"]);
  expect(refusals(builder)).toEqual([]);
});

test("in the gate a finding is a failure of policy: nothing is executed, and reflection leads to code without it", async () => {
  const unsafe = 'def add(a, b):\n    return eval(f"{a} + {b}")\n\n\nopen("/workspace/executed", "w").write("x")\n';
  const builder = await AppBuilder.create(
    byRole({
      ...addGoal,
      coder: [
        call("create_file", { path: "calc.py", content: unsafe }),
        finish,
        call("create_file", { path: "calc.py", content: "def add(a, b):\n    return a + b\n", overwrite: true }),
        finish,
      ],
    }),
  );
  const app = await builder.open();
  const end = await builder.start(app, { goal: "Write a module that adds two numbers" });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  const iterations = builder.events.flatMap((event) => (event.type === "iteration-settled" ? [event.iteration] : []));
  expect(iterations).toMatchObject([
    { outcome: "blocked", passed: 0, failure: { kind: "policy", code: "safety.findings" } },
    { outcome: "green" },
  ]);
  const gates = builder.events.filter((event) => event.type === "tests-run" && event.scope === "gate");
  expect(gates, "only the second iteration ran").toHaveLength(1);
  const reflected = builder.server.requests.find((request) => request.system.startsWith("You find out why"));
  expect(JSON.stringify(reflected?.body)).toContain("nothing was run: the change has 1 finding");
  expect(await replayTask(await app.recording(end.task), openLanguages())).toMatchObject({ ended: "same" });
});

test("tests that a model wrote are looked at before they are run", async () => {
  const [good] = addGoal.tester;
  const content =
    'import os\nfrom calc import add\n\n\ndef test_adds():\n    exec(os.environ["CODE"])\n    assert add(2, 3) == 5\n';
  const covers = [{ test: "test_adds", requirement: "R1" }];
  const bad = call("finish", { files: [{ path: "tests/test_add.py", content, todo: "add", covers }] });
  const builder = await AppBuilder.create(byRole({ ...addGoal, tester: [bad, ...(good ? [good] : [])] }));
  const app = await builder.open();
  const end = await builder.start(app, { goal: "Write a module that adds two numbers" });
  expect(end).toMatchObject({ outcome: { status: "proven" } });
  expect(refusals(builder)).toMatchObject([{ what: "code", subject: "tests/test_add.py" }]);
  expect(builder.events.filter((event) => event.type === "tests-run" && event.scope === "red-check")).toHaveLength(1);
});

const calls = [
  call("create_file", { path: "calculator.py", content: evil }),
  call("run_command", { command: "echo once >> ran.txt" }),
  call("run_command", { command: "echo twice >> ran.txt" }),
  finish,
];

test("a person who is asked about findings answers once for all commands and the gate", async () => {
  const builder = await AppBuilder.create(byTurn(...calls));
  const { asked, ask } = answeringPerson(true, "it is a calculator");
  const { end, replayed } = await runDirect(builder, { findings: "ask" }, { ask });
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(builder.files()["ran.txt"]).toBe("once\ntwice\n");
  expect(asked).toMatchObject([{ subject: "code", question: "execute code with 1 finding: calculator.py" }]);
  expect(asked[0]?.detail).toContain("calculator.py:2:");
  // What was allowed is in the evidence all the same.
  const [gathered] = builder.events.filter((event) => event.type === "evidence-gathered");
  expect(gathered?.evidence.scans).toMatchObject([{ path: "calculator.py", line: 2, kind: "code", blocking: true }]);
  expect(replayed).toMatchObject({ ended: "same" });
});

test("a no about findings stops every execution, and the work ends by policy", async () => {
  const builder = await AppBuilder.create(byTurn(...calls));
  const ask = async () => ({ granted: false, by: "a person", reason: "rather not" });
  const app = await builder.open();
  const limits = { ...builder.settings().limits, maxIterations: 1 };
  const settings = builder.settings({ direct: true, limits, safety: { ...strictSafety, findings: "ask" } });
  const end = await builder.start(app, {}, settings, { ask });
  expect(end).toMatchObject({ outcome: { status: "not-proven" } });
  expect(builder.files()).toEqual({});
  expect(JSON.stringify(builder.server.requests.map(({ body }) => body))).toContain("rather not");
});

test("policy lets findings pass that the person allows for a place or altogether", async () => {
  for (const change of [
    { approve: ["code" as const] },
    { code: { rules: { "python.*": { blocking: false } }, allow: [] } },
    { code: { rules: {}, allow: [{ rule: "python.*", paths: ["calculator.py"] }] } },
  ]) {
    const builder = await AppBuilder.create(byTurn(...calls));
    const { end } = await runDirect(builder, change);
    expect(end).toMatchObject({ outcome: { status: "checked" } });
    expect(builder.files()["ran.txt"]).toBe("once\ntwice\n");
  }
});

test("a scope of a role holds for files and for what commands change, and says so", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("read_file", { path: "private/plan.md" }),
      call("run_command", { command: "cat private/plan.md; ls; mkdir -p private && echo mine > private/plan.md" }),
      call("create_file", { path: "docs/a.md", content: "x" }),
      call("run_command", {
        command:
          "mkdir -p docs; echo x > docs/b.md; echo changed > README.md; rm -f private/plan.md; echo ok > src.txt",
      }),
      finish,
    ),
    { "README.md": "as it was\n", "private/plan.md": "a plan\n" },
  );
  const scopes = { roles: { coder: { read: ["!private"], write: ["src*"] } }, todos: {} };
  const { end } = await runDirect(builder, { scopes });
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(builder.files()).toEqual({ "README.md": "as it was\n", "private/plan.md": "a plan\n", "src.txt": "ok\n" });
  const [read, looked, created, command] = answersOf(builder);
  expect(looked).toContain("cat: private/plan.md: No such file");
  expect(looked).not.toContain("a plan");
  expect(read).toContain("outside what may be read");
  expect(created).toContain("outside the write scope");
  expect(command).toContain("the change to README.md, docs/b.md was undone: outside the write scope");
});

test("a command that the rules deny does not run: the agent reads why and what to do instead", async () => {
  const builder = await AppBuilder.create(
    byTurn(
      call("run_command", { command: "echo ran > ran.txt; rm -rf /" }),
      call("run_command", { command: "x=rm; $x -rf ~; echo ran > ran.txt" }),
      call("run_command", { command: "echo ran > fine.txt" }),
      finish,
    ),
  );
  const { end, replayed } = await runDirect(builder);
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(builder.files()).toEqual({ "fine.txt": "ran\n" });
  const [first] = answersOf(builder);
  expect(first).toMatch(/^not run:\n.*`.*\/`: .* Instead: /s);
  expect(refusals(builder)).toMatchObject([
    {
      what: "command",
      subject: "echo ran > ran.txt; rm -rf /",
      reasons: [{ rule: expect.stringContaining("delete") }],
    },
    { what: "command" },
  ]);
  expect(replayed).toMatchObject({ ended: "same" });
});

test("an install of what is not on the list asks about dependencies, in a command and in a manifest", async () => {
  const { asked, ask } = answeringPerson(false, "we do without");
  const builder = await AppBuilder.create(
    byTurn(
      call("run_command", { command: "pip install surely-not-on-any-list" }),
      call("create_file", { path: "requirements.txt", content: "surely-not-on-any-list==1.0\n" }),
      call("run_command", { command: "echo ran > ran.txt" }),
      call("create_file", { path: "requirements.txt", content: "", overwrite: true }),
      call("run_command", { command: "echo ran > ran.txt" }),
      finish,
    ),
  );
  const { end, replayed } = await runDirect(builder, {}, { ask });
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(asked).toMatchObject([
    { subject: "deps", question: "run `pip install surely-not-on-any-list`" },
    { subject: "deps", question: "add surely-not-on-any-list ==1.0 to requirements.txt" },
  ]);
  expect(builder.files()).toMatchObject({ "ran.txt": "ran\n" });
  expect(answersOf(builder)[0]).toContain("we do without");
  expect(replayed).toMatchObject({ ended: "same" });
});

test("a command reaches the hosts that the policy names and no others, and each refusal is told", async () => {
  const code = [
    "import urllib.request",
    "try:",
    '    urllib.request.urlopen("http://elsewhere.example/x", timeout=20)',
    "except OSError as error:",
    '    print("refused", getattr(error, "code", error))',
    "",
  ].join("\n");
  const builder = await AppBuilder.create(
    byTurn(
      call("create_file", { path: "get.py", content: code }),
      call("run_command", { command: "python3 get.py" }),
      call("run_command", { command: "python3 -m pip download --no-deps pytest || true" }),
      finish,
    ),
  );
  const { end } = await runDirect(builder, {
    network: ["allowed.example"],
    registries: { python: ["index.invalid"] },
  });
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(answersOf(builder)[1]).toContain("refused 403");
  expect(builder.events.filter((event) => event.type === "network-refused")).toMatchObject([
    { host: "elsewhere.example" },
    // An install is answered by the mirror, which has nothing yet.
    { host: "index.invalid", reason: expect.stringContaining("never fetched before") },
  ]);
});

test("an answer about code that quotes a secret is found again, though the record does not show it", async () => {
  const secret = "hunter2-hunter2-hunter2";
  const builder = await AppBuilder.create(
    byTurn(
      call("run_command", { command: "sed s/PLACE/$(cat key.txt)/ template.txt > app.py" }),
      call("run_command", { command: "echo ran > ran.txt" }),
      finish,
    ),
    { "template.txt": "import os\nos.system(input('PLACE'))\n", "key.txt": secret },
  );
  const app = await builder.open([secret]);
  const settings = builder.settings({ direct: true, safety: { ...strictSafety, approve: ["code"] } });
  const end = await builder.start(app, {}, settings);
  expect(end).toMatchObject({ outcome: { status: "checked" } });
  expect(builder.files()["ran.txt"]).toBe("ran\n");
  const asked = builder.events.filter((event) => event.type === "approval-requested");
  expect(JSON.stringify(asked)).toContain("[redacted]");
});

test("of a planner's demands only those of the goal count, and its commands are judged before the gate runs them", async () => {
  const [planned] = addGoal.planner;
  const plan = z.record(z.string(), z.unknown()).parse(planned?.arguments);
  const acceptance = ["rm -rf /", "python3 -m mypy --strict ."];
  const todos = [{ id: "add", title: "write calc.add", description: "no floats", acceptance }];
  const script = { ...addGoal, planner: [call("finish", { ...plan, todos })], debugger: [] };
  const builder = await AppBuilder.create(byRole(script));
  const app = await builder.open();
  const limits = { ...builder.settings().limits, maxIterations: 1, debugAttempts: 0 };
  const goal = "Write a module that adds two numbers; `rm -rf /` must succeed";
  const end = await builder.start(app, { goal }, builder.settings({ limits }));
  expect(end).toMatchObject({ outcome: { status: "not-proven" } });
  expect(refusals(builder)).toMatchObject([{ what: "command", subject: "rm -rf /" }]);
  const asked = builder.server.requests.find(({ system }) => system.startsWith("You are a careful"));
  const brief = asked?.messages[0]?.text ?? "";
  expect(brief).toContain("# What is to be done here\nno floats");
  expect(brief).toContain("# Commands that must succeed\n- rm -rf /\n");
  expect(brief).not.toContain("mypy");
});
