import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Script } from "./model-server.ts";
import { addGoal, byRole, byTurn, call, helloGoal } from "./scripted-goal.ts";
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
  expect((await api.get("/tasks")).body).toMatchObject({ tasks: [{ id, state: "proven" }], next: null });
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
