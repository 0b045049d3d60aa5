import { expect, test } from "vitest";
import type { Event, EventBody } from "./event.ts";
import { planState } from "./plan-state.ts";
import type { TaskStatus } from "./task.ts";

const todo = (id: string, dependsOn: string[] = []) => {
  const lists = { requirements: [], acceptance: [], artifacts: [] };
  return { id, title: id, role: "coder" as const, dependsOn, ...lists };
};
const planned: EventBody = {
  type: "plan-made",
  size: "large",
  spec: {
    title: "a title",
    kind: "feature",
    language: "python",
    requirements: [{ id: "R1", text: "it works", assumption: false }],
    outOfScope: [],
    accept: [],
  },
  plan: { todos: [todo("a"), todo("b", ["a"]), todo("c")] },
};
const phase = (id: string): EventBody => ({ type: "phase-changed", phase: "coding", iteration: 1, todo: id });
const branch: EventBody = {
  type: "todo-branched",
  branch: { id: "a-1", parent: "a", reason: "timeout", finding: "slow", instructions: "be quick", maxAttempts: 3 },
};

function states(bodies: EventBody[], status: TaskStatus = "running") {
  const events = bodies.map(
    (body, index): Event => ({ task: "t00000001", number: index + 1, at: 0, step: "", ...body }),
  );
  const plan = planState(events, status);
  return plan && Object.fromEntries(plan.todos.map(({ todo, state }) => [todo.id, state]));
}

test("before there is a plan there is none", () => {
  expect(states([])).toBeNull();
});

test("a todo is ready when all it depends on is done", () => {
  expect(states([planned])).toEqual({ a: "ready", b: "waiting", c: "ready" });
  expect(states([planned, phase("a")])).toEqual({ a: "running", b: "waiting", c: "ready" });
  const done: EventBody = { type: "todo-settled", todo: "a", ok: true };
  expect(states([planned, phase("a"), done])).toEqual({ a: "done", b: "ready", c: "ready" });
});

test("a branched todo stays so until it is settled", () => {
  expect(states([planned, phase("a"), branch, phase("a")])).toMatchObject({ a: "branched" });
  expect(states([planned, branch, { type: "todo-settled", todo: "a", ok: false }])).toMatchObject({ a: "failed" });
});

test("a branch has a state of its own, and ends with its parent where it was never settled", () => {
  const second: EventBody = { ...branch, branch: { ...branch.branch, id: "a-2" } };
  const settled = (todo: string, ok: boolean): EventBody => ({ type: "todo-settled", todo, ok });
  const branchesOf = (...bodies: EventBody[]) => {
    const events = bodies.map((body, at): Event => ({ task: "t1", number: at + 1, at, step: "", ...body }));
    return planState(events, "running")?.branches.map(({ id, state, endedAt }) => [id, state, endedAt]);
  };
  expect(branchesOf(planned, branch)).toEqual([["a-1", "running", null]]);
  expect(branchesOf(planned, branch, settled("a-1", false), second)).toEqual([
    ["a-1", "failed", 2],
    ["a-2", "running", null],
  ]);
  expect(branchesOf(planned, branch, settled("a", true))).toEqual([["a-1", "done", 2]]);
});

test("a todo knows its attempt, its iteration, who works on it, and when it began and ended", () => {
  const at = (number: number, step: string, body: EventBody): Event => ({
    task: "t1",
    number,
    at: number,
    step,
    ...body,
  });
  const first = at(2, "todo:a/iteration:1/phase/1", phase("a"));
  const again = at(5, "todo:a/edition:1/try:2/iteration:1/phase/1", phase("a"));
  const events = [at(1, "", planned), first, again];
  const todoA = () => planState(events, "running")?.todos[0];
  const running = { attempt: 2, iteration: 1, worker: "todo:a/edition:1/try:2", begunAt: 2, endedAt: null };
  expect(todoA()).toMatchObject({ state: "running", ...running });
  const failure = { kind: "logic" as const, code: "loop.stuck", message: "it stays red" };
  events.push(at(9, "todo:a/todo-settled/1", { type: "todo-settled", todo: "a", ok: false, failure }));
  expect(todoA()).toMatchObject({ ...running, state: "failed", endedAt: 9, failure });
  expect(planState(events, "running")?.todos[1]).toMatchObject({ attempt: 0, worker: null, begunAt: null });
});

test("the end of a task ends its todos", () => {
  expect(states([planned, phase("a")], "cancelled")).toEqual({ a: "cancelled", b: "cancelled", c: "cancelled" });
  expect(states([planned, phase("a")], "proven")).toEqual({ a: "done", b: "done", c: "done" });
  expect(states([planned, phase("a")], "not-proven")).toEqual({ a: "failed", b: "waiting", c: "ready" });
});
