import fc from "fast-check";
import { expect, test } from "vitest";
import { randomPlan } from "../../../test/random-plan.ts";
import { Plan } from "./plan.ts";
import { startable, widthOf } from "./schedule.ts";

const plan = (todos: Record<string, { dependsOn?: string[]; priority?: number }>) =>
  Plan.parse({ todos: Object.entries(todos).map(([id, rest]) => ({ id, title: id, ...rest })) });
const begun = (one: Plan, progress: Record<string, "running" | "done" | "failed">, limit: number) =>
  startable(one, new Map(Object.entries(progress)), limit).map((todo) => todo.id);

test("ready todos begin by priority, then in plan order, up to the limit", () => {
  const wide = plan({ a: {}, b: { priority: 2 }, c: { dependsOn: ["b"] }, d: {} });
  expect(begun(wide, {}, 2)).toEqual(["b", "a"]);
  expect(begun(wide, { b: "running", a: "running" }, 2)).toEqual([]);
  expect(begun(wide, { b: "done", a: "running" }, 3)).toEqual(["c", "d"]);
  expect(begun(wide, { b: "failed", a: "running" }, 3)).toEqual([]);
});

test.each([
  [{ a: {}, b: { dependsOn: ["a"] } }, 1],
  [{ a: {}, b: {}, c: { dependsOn: ["a"] } }, 2],
])("the width of a plan is how many todos are ready at once", (todos, width) => {
  expect(widthOf(plan(todos))).toBe(width);
});

/** Runs a plan with todos that end in any order and fail as they like; says what happened. */
function simulate(one: Plan, limit: number, choices: number[], fails: (id: string) => boolean) {
  const progress = new Map<string, "running" | "done" | "failed">();
  const order: string[] = [];
  for (let turn = 0; ; turn += 1) {
    for (const todo of startable(one, progress, limit)) {
      expect(todo.dependsOn.every((id) => progress.get(id) === "done")).toBe(true);
      expect(progress.has(todo.id)).toBe(false);
      progress.set(todo.id, "running");
      order.push(todo.id);
    }
    const running = [...progress].filter(([, state]) => state === "running").map(([id]) => id);
    expect(running.length).toBeLessThanOrEqual(limit);
    if (running.length === 0) return { progress, order };
    const next = running[(choices[turn % choices.length] ?? 0) % running.length] ?? "";
    progress.set(next, fails(next) ? "failed" : "done");
  }
}

const runs = fc.record({
  one: randomPlan,
  limit: fc.integer({ min: 1, max: 6 }),
  choices: fc.array(fc.nat(), { minLength: 1, maxLength: 12 }),
  bad: fc.subarray(Array.from({ length: 12 }, (_, index) => `t${index}`)),
});

test("whatever the graph and the order of endings, every todo runs once, never before its dependencies, never over the limit", () => {
  fc.assert(
    fc.property(runs, ({ one, limit, choices }) => {
      const { progress, order } = simulate(one, limit, choices, () => false);
      expect(order.length).toBe(one.todos.length);
      expect([...progress.values()].every((state) => state === "done")).toBe(true);
    }),
  );
});

test("whatever fails, it comes to an end, and nothing stands on what failed", () => {
  fc.assert(
    fc.property(runs, ({ one, limit, choices, bad }) => {
      const { progress } = simulate(one, limit, choices, (id) => bad.includes(id));
      expect([...progress.values()].includes("running")).toBe(false);
      expect(progress.size === one.todos.length || [...progress.values()].includes("failed")).toBe(true);
    }),
  );
});
