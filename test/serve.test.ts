import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { EXIT } from "../src/cli/text/exit-codes.ts";
import { StepView } from "../src/server/tasks/step-view.ts";
import type { Script } from "./model-server.ts";
import { addGoal, byRole, byTurn, call, extraRoleOf, helloGoal, roleOf } from "./scripted-goal.ts";
import { ScriptedTerminal } from "./scripted-terminal.ts";
import { ServedApi } from "./served-api.ts";

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

/** A person's settings under which a goal goes straight to the coder. */
const DIRECT = "direct: true\n";

test("a goal that is posted is worked on, followed by its events, proven, applied and shown", async () => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  const api = await ServedApi.start(terminal);
  const made = await api.post("/tasks", { goal: "write calc.add, which adds two numbers" });
  expect(made).toMatchObject({
    status: 201,
    body: { directory: "project", goal: expect.stringContaining("calc.add") },
  });
  const id = String(made.body.id);
  const events = await api.follow(id, "task-settled");
  expect(events.map((event) => event.id)).toEqual(numbered(events.length));
  expect(events[0]).toMatchObject({ event: "task-started", data: { task: id, number: 1 } });
  expect(await api.reaches(id, "proven")).toMatchObject({ failure: null, questions: 0 });
  expect(readFileSync(join(terminal.project, "calc.py"), "utf8")).toContain("a + b");
  expect((await api.get(`/tasks/${id}/diff`)).body.text).toContain("+def add(a, b):");
  expect((await api.get(`/tasks/${id}/evidence`)).body).toMatchObject({ task: id, verdict: { status: "proven" } });
  expect((await api.get("/metrics")).body.text).toContain('task_pass_rate{task_type="feature"} 1\n');
  expect((await api.get("/metrics/tasks?by=language")).body.groups).toMatchObject([{ key: "python", proven: 1 }]);
  expect((await api.get("/metrics/usage/days?by=role")).body.groups).toContainEqual(
    expect.objectContaining({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), key: "coder", tasks: 1 }),
  );
  expect((await api.get("/metrics/usage?by=role")).body.groups).toContainEqual(
    expect.objectContaining({ key: "coder", tasks: 1 }),
  );
  expect((await api.get("/tasks")).body).toMatchObject({ tasks: [{ id, state: "proven" }], next: null });
});

test("what a task has made can be read: plan, steps, usage, files and cassette", async () => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  const api = await ServedApi.start(terminal);
  const id = String((await api.post("/tasks", { goal: "write calc.add, which adds two numbers" })).body.id);
  expect(await api.get(`/tasks/${id}/diff`)).toMatchObject({ status: 409, body: { code: "task.no-result" } });
  await api.reaches(id, "proven");
  const read = async (what: string) => (await api.get(`/tasks/${id}/${what}`)).body;
  const todo = { attempt: 1, worker: "todo:add", begunAt: expect.any(Number), endedAt: expect.any(Number) };
  expect(await read("plan")).toMatchObject({
    plan: {
      spec: { title: "add two numbers" },
      todos: [{ todo: { id: "add" }, state: "done", ...todo }],
      branches: [],
    },
  });
  const { steps, next } = z
    .object({ steps: z.array(StepView), next: z.int().nullable() })
    .parse(await read("steps?limit=1000"));
  expect(next).toBeNull();
  const coded = steps.find(({ name, todo }) => name === "code" && todo === "add");
  expect(coded).toMatchObject({
    kind: "model",
    outcome: "ok",
    strand: "todo:add",
    model: expect.stringContaining("/"),
  });
  expect(coded?.usage?.inputTokens).toBeGreaterThan(0);
  expect(await read(`steps/${coded?.number}`)).toMatchObject({
    path: coded?.path,
    usage: coded?.usage,
    input: { role: "coder" },
    output: { finish: expect.any(String) },
  });
  const first = await read("steps?limit=2");
  expect(first).toMatchObject({ steps: steps.slice(0, 2), next: steps[1]?.number });
  expect(await read(`steps?limit=2&after=${first.next}`)).toMatchObject({ steps: steps.slice(2, 4) });
  expect(await api.get(`/tasks/${id}/steps/99999`)).toMatchObject({ status: 404, body: { code: "step.unknown" } });
  const usage = await read("usage");
  expect(usage.roles).toContainEqual(expect.objectContaining({ key: "coder", calls: expect.any(Number) }));
  expect(usage.limits).toMatchObject({ maxIterations: expect.any(Number) });
  expect((await read("files")).files).toContainEqual({ path: "calc.py", change: "added" });
  expect((await read("files/calc.py")).text).toContain("a + b");
  expect(await api.get(`/tasks/${id}/files/calc.py?side=before`)).toMatchObject({ status: 404 });
  expect(await api.get(`/tasks/${id}/files/..%2F..%2Fetc%2Fpasswd`)).toMatchObject({
    status: 404,
    body: { code: "file.unknown" },
  });
  expect(await read("cassette")).toMatchObject({ format: "miracle-cassette/1", task: id });
  expect((await api.get("/memory")).body).toMatchObject({ records: expect.any(Array) });
  const { settings } = (await api.get("/settings")).body;
  expect(settings).toContainEqual(expect.objectContaining({ key: "effort", source: expect.any(String) }));
  expect(JSON.stringify(settings), "no path is told").not.toContain(terminal.root);
});

test("a result is taken back and applied again, continued and forked", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal, ...helloGoal, ...helloGoal));
  terminal.configure(DIRECT);
  const api = await ServedApi.start(terminal);
  const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  await api.reaches(id, "checked");
  expect((await api.post(`/tasks/${id}/undo`)).status).toBe(200);
  expect(terminal.tree()).toEqual({});
  expect(await api.post(`/tasks/${id}/undo`)).toMatchObject({ status: 409, body: { code: "apply.nothing" } });
  expect((await api.post(`/tasks/${id}/apply`)).status).toBe(200);
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
  const more = await api.post(`/tasks/${id}/continue`, { goal: "say it again" });
  expect(more).toMatchObject({ status: 201, body: { parent: id, forkedAt: null, goal: "say it again" } });
  await api.reaches(String(more.body.id), "checked");
  const steps = z.object({ steps: z.array(StepView) }).parse((await api.get(`/tasks/${id}/steps`)).body).steps;
  const at = steps.find(({ kind }) => kind === "model")?.number;
  const fork = await api.post(`/tasks/${id}/fork`, { at });
  expect(fork).toMatchObject({ status: 201, body: { parent: id, forkedAt: at } });
  await api.reaches(String(fork.body.id), "checked");
  expect(await api.post(`/tasks/${id}/fork`, { at: 9999 })).toMatchObject({
    status: 404,
    body: { code: "step.unknown" },
  });
  expect((await api.get("/tasks?search=AGAIN")).body).toMatchObject({ tasks: [{ id: more.body.id }] });
  expect((await api.get("/tasks?search=%25")).body).toMatchObject({ tasks: [] });
});

test("a follower that comes late or comes back gets what it has not seen, once and in order", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  terminal.configure(DIRECT);
  const api = await ServedApi.start(terminal);
  const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  const all = await api.follow(id, "task-settled");
  const again = await api.follow(id, "task-settled");
  expect(again).toEqual(all);
  expect(await api.follow(id, "task-settled", 2)).toEqual(all.slice(2));
});

test("pause stops at a step, resume goes on, and nothing is asked twice", async () => {
  const { script, release } = held(byTurn(...helloGoal), 1);
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure(DIRECT);
  const api = await ServedApi.start(terminal);
  const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  await terminal.asked(2);
  expect((await api.get(`/tasks/${id}`)).body.state).toBe("running");
  expect(await api.post(`/tasks/${id}/resume`)).toMatchObject({ status: 409, body: { code: "task.live" } });
  expect((await api.post(`/tasks/${id}/pause`)).status).toBe(202);
  await api.reaches(id, "paused");
  release();
  expect((await api.post(`/tasks/${id}/resume`)).status).toBe(202);
  await api.reaches(id, "checked");
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
  expect(terminal.server.requests).toHaveLength(3);
  expect(await api.post(`/tasks/${id}/pause`)).toMatchObject({ status: 409, body: { code: "task.idle" } });
  expect(await api.post(`/tasks/${id}/cancel`)).toMatchObject({ status: 409, body: { code: "task.settled" } });
});

test("tasks wait for their turn; one that waits is paused or cancelled at once", async () => {
  const { script, release } = held(byTurn(...helloGoal), 0);
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure(DIRECT);
  const api = await ServedApi.start(terminal);
  const create = async () => String((await api.post("/tasks", { goal: "say hello" })).body.id);
  const [first, second, third] = [await create(), await create(), await create()];
  await terminal.asked(1);
  expect((await api.get(`/tasks/${second}`)).body.state).toBe("queued");
  expect((await api.post(`/tasks/${second}/pause`)).body.state).toBe("paused");
  expect((await api.post(`/tasks/${third}/cancel`)).body.state).toBe("cancelled");
  expect((await api.post(`/tasks/${first}/cancel`)).status).toBe(202);
  await api.reaches(first, "cancelled");
  release();
  expect((await api.post(`/tasks/${second}/resume`)).status).toBe(202);
  await api.reaches(second, "checked");
  const page = await api.get("/tasks?limit=2");
  expect(page.body).toMatchObject({ tasks: [{ id: third }, { id: second }], next: second });
  expect((await api.get(`/tasks?limit=2&before=${second}`)).body).toMatchObject({ tasks: [{ id: first }], next: null });
  expect((await api.get("/tasks?status=checked")).body).toMatchObject({ tasks: [{ id: second }] });
});

test("a question waits for an answer over HTTP, and then the task goes on", async () => {
  const terminal = await ScriptedTerminal.open(byTurn(...helloGoal));
  terminal.configure(`${DIRECT}confirm: [diff]\n`);
  const api = await ServedApi.start(terminal);
  const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  expect(await api.reaches(id, "waiting")).toMatchObject({ questions: 1 });
  expect(terminal.tree()).toEqual({});
  const { approvals } = (await api.get(`/approvals?task=${id}`)).body;
  expect(approvals).toMatchObject([{ task: id, subject: "diff", answer: null }]);
  const question = z.array(z.object({ id: z.string() })).parse(approvals)[0]?.id;
  const answered = await api.post(`/approvals/${question}`, { granted: true, reason: "looks right" });
  expect(answered).toMatchObject({
    status: 200,
    body: { answer: { granted: true, by: "first", reason: "looks right" } },
  });
  await api.reaches(id, "checked");
  expect(terminal.tree()).toEqual({ "hello.txt": "644 hello\n" });
  expect(await api.post(`/approvals/${question}`, { granted: false })).toMatchObject({
    status: 409,
    body: { code: "approval.answered" },
  });
});

test("an answer holds for one question, or for all of its subject in this task, and says who gave it", async () => {
  const touch = (name: string) => call("run_command", { command: `echo ran > ${name}` });
  const finish = call("finish", { summary: "done" });
  const terminal = await ScriptedTerminal.open(byTurn(touch("a"), touch("b"), touch("c"), finish));
  const hook = join(terminal.root, "hook");
  writeFileSync(hook, `#!/bin/sh\necho '{"decision":"ask","reason":"it is a command"}'\n`, { mode: 0o755 });
  terminal.configure(`${DIRECT}hooks: [{ when: before, tools: [run_command], command: [${hook}] }]\n`);
  const api = await ServedApi.start(terminal);
  const id = String((await api.post("/tasks", { goal: "touch files" })).body.id);
  const Asked = z.array(z.object({ id: z.string(), answer: z.object({ by: z.string() }).nullable() }));
  const questions = async () => Asked.parse((await api.get(`/approvals?task=${id}&answered=true`)).body.approvals);
  for (const holds of ["once", "task"]) {
    await api.reaches(id, "waiting");
    const open = (await questions()).find(({ answer }) => answer === null);
    expect((await api.post(`/approvals/${open?.id}`, { granted: true, holds })).status).toBe(200);
  }
  await api.reaches(id, "checked");
  expect(Object.keys(terminal.tree()).sort()).toEqual(["a", "b", "c"]);
  const answered = (await questions()).map(({ answer }) => answer?.by);
  expect(answered.sort()).toEqual(["first", "first", "policy: allowed for this task by first"]);
});

test("an answer for always is a rule that the next task keeps to, and only an admin may give it", async () => {
  const finish = call("finish", { summary: "done" });
  const terminal = await ScriptedTerminal.open(byTurn(call("run_command", { command: "echo ran > a" }), finish));
  const hook = join(terminal.root, "hook");
  writeFileSync(hook, `#!/bin/sh\necho '{"decision":"ask","reason":"it is a command"}'\n`, { mode: 0o755 });
  terminal.configure(`${DIRECT}hooks: [{ when: before, tools: [run_command], command: [${hook}] }]\n`);
  const api = await ServedApi.start(terminal);
  const begin = async () => String((await api.post("/tasks", { goal: "touch a file" })).body.id);
  const Asked = z.array(z.object({ id: z.string(), answer: z.object({ by: z.string() }).nullable() }));
  const questions = async (task: string) =>
    Asked.parse((await api.get(`/approvals?task=${task}&answered=true`)).body.approvals);
  const first = await begin();
  await api.reaches(first, "waiting");
  const [question] = await questions(first);
  const place = `/approvals/${question?.id}`;
  const { stdout } = await terminal.run(["token", "add", "phone", "--scope", "read,approve"]);
  const phone = { authorization: `Bearer ${stdout.trim()}` };
  const always = { granted: true, holds: "always" };
  expect(await api.post(place, always, phone)).toMatchObject({ status: 403, body: { code: "token.scope" } });
  expect((await api.post(place, always)).status).toBe(200);
  await api.reaches(first, "checked");
  const second = await begin();
  await api.reaches(second, "checked");
  expect(await questions(second)).toMatchObject([{ answer: { by: "policy: safety.always" } }]);
});

test("every role that neither plans nor codes answers alone, in its own form, as a task that changes nothing", async () => {
  const contract = { title: "hello", language: "python", functions: [], classes: [], models: [], errors: [] };
  const content = "def test_a():\n    assert False\n";
  const file = { path: "test_a.py", content, todo: "a", covers: [{ test: "test_a", requirement: "R1" }] };
  const diagnosis = { cause: "timeout", finding: "it loops", instructions: "end it", alternatives: [], tests: [] };
  const answers: Record<string, object> = {
    tester: { files: [file] },
    reflector: { cause: "a sign", hypothesis: "turn it", next: "code" },
    judge: { entailed: true, quote: "said", reason: "it is", behaviour: "" },
    reviewer: { findings: [] },
    auditor: { findings: [] },
    reprompter: { goal: "say hello", questions: [] },
    architect: { contract, design: "one function" },
    debugger: diagnosis,
  };
  const terminal = await ScriptedTerminal.open((request) => {
    const role = extraRoleOf(request) ?? roleOf(request);
    const used = request.messages.filter(({ role: who }) => who === "assistant").length;
    // The debugger's commands run on a copy that is thrown away.
    if (role === "debugger" && used === 0) return { toolCalls: [call("run_command", { command: "echo x > made" })] };
    return { toolCalls: [call("finish", answers[role] ?? {})] };
  });
  terminal.write({ "README.md": "a project\n" });
  const api = await ServedApi.start(terminal);
  for (const [role, result] of Object.entries(answers)) {
    const handed = await api.post(`/agent/${role}/task`, { goal: `what the ${role} is to do` });
    expect(handed, role).toMatchObject({ status: 202, body: { role } });
    const id = String(handed.body.task_id);
    await api.reaches(id, "paused");
    const { body } = await api.get(`/agent/${role}/task/${id}`);
    expect(body).toMatchObject({ task_id: id, role, status: "paused", result });
    const other = role === "judge" ? "reviewer" : "judge";
    expect((await api.get(`/agent/${other}/task/${id}`)).body).toMatchObject({ result: null });
  }
  const first = terminal.server.requests[0]?.messages[0]?.text;
  expect(first).toContain("# Your task\nwhat the tester is to do");
  expect(Object.keys(terminal.tree())).toEqual(["README.md"]);
  const replayed = await terminal.run(["replay", "--last"]);
  expect(replayed, replayed.stderr).toMatchObject({ code: EXIT.done });
});

test("what is told reaches the task, with the name of the token", async () => {
  const { script, release } = held(byTurn(...helloGoal), 0);
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure(DIRECT);
  const api = await ServedApi.start(terminal);
  const id = String((await api.post("/tasks", { goal: "say hello" })).body.id);
  await terminal.asked(1);
  expect((await api.post(`/tasks/${id}/tell`, { message: " in English " })).status).toBe(202);
  release();
  const told = (await api.follow(id, "message-told")).at(-1);
  expect(told?.data).toMatchObject({ message: { text: "in English", by: "first" } });
});

test("a plan is made, read and executed by the names of planner and orchestrator", async () => {
  const terminal = await ScriptedTerminal.open(byRole(addGoal));
  terminal.configure("confirm: [diff]\n");
  const api = await ServedApi.start(terminal);
  const planned = await api.post("/planner/plan", { goal: "write calc.add, which adds two numbers" });
  expect(planned).toMatchObject({ status: 202, body: { todos: [] } });
  const id = String(planned.body.id);
  await api.reaches(id, "paused");
  const todo = { id: "add", title: "write calc.add", agent_role: "coder", dependencies: [], is_temporary: false };
  expect((await api.get(`/planner/todo_list/${id}`)).body).toMatchObject({
    title: "add two numbers",
    todos: [{ ...todo, status: "ready" }],
  });
  expect(terminal.server.requests).toHaveLength(1);
  expect(await api.post("/orchestrator/execute", { todo_list_id: id })).toMatchObject({
    status: 202,
    body: { workflow_id: id },
  });
  await api.reaches(id, "waiting");
  const status = await api.get(`/orchestrator/status/${id}`);
  expect(status.body).toMatchObject({ status: "waiting", todos: [{ id: "add" }], approvals: [{ subject: "diff" }] });
  expect((await api.post(`/orchestrator/approve/${id}`, { reason: "good" })).status).toBe(200);
  await api.reaches(id, "proven");
  expect((await api.get(`/planner/todo_list/${id}`)).body).toMatchObject({ todos: [{ ...todo, status: "done" }] });
  expect(await api.post(`/orchestrator/approve/${id}`)).toMatchObject({
    status: 409,
    body: { code: "approval.which" },
  });
});

test("one role is given a goal of its own, and says what it does", async () => {
  const { script, release } = held(byTurn(...helloGoal), 1);
  const terminal = await ScriptedTerminal.open(script);
  const api = await ServedApi.start(terminal);
  expect((await api.get("/agent/coder/status")).body).toMatchObject({ status: "idle", calls: 0, tasks: [] });
  const handed = await api.post("/agent/coder/task", { goal: "say hello" });
  expect(handed).toMatchObject({ status: 202, body: { role: "coder" } });
  const id = String(handed.body.task_id);
  await terminal.asked(2);
  expect((await api.get("/agent/coder/status")).body).toMatchObject({ status: "busy", tasks: [{ task_id: id }] });
  expect(await api.post(`/orchestrator/task/${id}/result`, { result: "English it is" })).toMatchObject({
    status: 202,
    body: { taken: "message" },
  });
  release();
  await api.reaches(id, "checked");
  expect((await api.get("/agent/coder/status")).body).toMatchObject({ status: "idle", calls: expect.any(Number) });
  expect(await api.post("/agent/poet/task", { goal: "rhyme" })).toMatchObject({
    status: 404,
    body: { code: "agent.unknown", detail: expect.stringContaining("roles are planner, ") },
  });
});

test("Ctrl-C pauses at a step, and the next start takes the task up again", async () => {
  const { script, release } = held(byTurn(...helloGoal), 1);
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure(DIRECT);
  const first = await ServedApi.start(terminal);
  const id = String((await first.post("/tasks", { goal: "say hello" })).body.id);
  await terminal.asked(2);
  first.process.kill("SIGINT");
  expect(await first.process.end).toMatchObject({ code: 0 });
  expect(terminal.tasks()).toMatchObject([{ status: "paused" }]);
  release();
  const second = await ServedApi.start(terminal, { token: first.token });
  await second.reaches(id, "checked");
  const events = await second.follow(id, "task-settled");
  expect(events.map((event) => event.id)).toEqual(numbered(events.length));
  expect(events.map((event) => event.event)).toContain("task-paused");
});

test("a task that a person paused stays paused over a restart", async () => {
  const { script } = held(byTurn(...helloGoal), 1);
  const terminal = await ScriptedTerminal.open(script);
  terminal.configure(DIRECT);
  const first = await ServedApi.start(terminal);
  const id = String((await first.post("/tasks", { goal: "say hello" })).body.id);
  await terminal.asked(2);
  await first.post(`/tasks/${id}/pause`);
  await first.reaches(id, "paused");
  await first.kill("SIGTERM");
  const second = await ServedApi.start(terminal, { token: first.token });
  expect((await second.get(`/tasks/${id}`)).body.state).toBe("paused");
  expect(terminal.server.requests).toHaveLength(2);
});

test("a task that another process left is interrupted, and not taken up unasked", async () => {
  const { script, release } = held(byTurn(...helloGoal), 1);
  const terminal = await ScriptedTerminal.open(script);
  const run = terminal.start(["run", "--direct", "--quiet", "say hello"]);
  await terminal.asked(2);
  run.kill("SIGKILL");
  await run.end;
  release();
  const api = await ServedApi.start(terminal);
  const id = terminal.task;
  expect((await api.get(`/tasks/${id}`)).body.state).toBe("interrupted");
  expect((await terminal.run(["history"])).stdout).toContain("interrupted");
  expect((await terminal.run(["show", id])).stdout).toContain(`task ${id}: interrupted`);
  expect(JSON.parse((await terminal.run(["show", id, "--json"])).stdout)).toMatchObject({ state: "interrupted" });
  expect((await api.post(`/tasks/${id}/resume`)).status).toBe(202);
  await api.reaches(id, "checked");
});

test("a follower sees what another process does, too", async () => {
  const { script, release } = held(byTurn(call("create_file", { path: "a.txt", content: "a\n" }), ...helloGoal), 1);
  const terminal = await ScriptedTerminal.open(script);
  const api = await ServedApi.start(terminal);
  const run = terminal.start(["run", "--direct", "--quiet", "say hello"]);
  await terminal.asked(2);
  const following = api.follow(terminal.task, "task-settled");
  release();
  const events = await following;
  expect(events.map((event) => event.id)).toEqual(numbered(events.length));
  expect((await run.end).code).toBe(0);
});

/** Answers requests up to this one at once, and the others when it is released. */
function held(script: Script, at: number): { script: Script; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    release: resolve,
    script: async (request, index) => {
      if (index >= at) await promise;
      return script(request, index);
    },
  };
}
