import fc from "fast-check";
import { expect, test } from "vitest";
import { randomPlan } from "../../../test/random-plan.ts";
import { orderTodos, Plan } from "./plan.ts";
import { foundationOf, independentPairs, levelsOf, sharedPlace, topsOf, withoutCollisions } from "./plan-graph.ts";

const diamond = Plan.parse({
  todos: [
    { id: "base", title: "x" },
    { id: "left", title: "x", dependsOn: ["base"] },
    { id: "right", title: "x", dependsOn: ["base"] },
    { id: "top", title: "x", dependsOn: ["left", "right"] },
  ],
});
const ids = (todos: { id: string }[]) => todos.map((todo) => todo.id);

test("a diamond has three levels, one pair that may run at once, and one top", () => {
  expect(levelsOf(diamond).map(ids)).toEqual([["base"], ["left", "right"], ["top"]]);
  expect(independentPairs(diamond).map(ids)).toEqual([["left", "right"]]);
  expect([...foundationOf(diamond, "right")].sort()).toEqual(["base", "right"]);
  expect(ids(topsOf(diamond, new Set(["base", "left", "right"])))).toEqual(["left", "right"]);
});

test("levels hold every todo once, each above all that it depends on", () => {
  fc.assert(
    fc.property(randomPlan, (plan) => {
      const at = new Map(levelsOf(plan).flatMap((todos, level) => todos.map((todo) => [todo.id, level] as const)));
      expect(at.size).toBe(plan.todos.length);
      for (const todo of plan.todos)
        for (const id of todo.dependsOn) expect(at.get(id)).toBeLessThan(at.get(todo.id) ?? 0);
    }),
  );
});

test("todos that may write the same file are put in turn, others are not, and no circle arises", () => {
  fc.assert(
    fc.property(randomPlan, (mixed) => {
      const plan = { todos: orderTodos(mixed) };
      const apart = withoutCollisions(plan);
      expect(orderTodos(apart).length).toBe(plan.todos.length);
      for (const [first, second] of independentPairs(apart)) {
        expect(sharedPlace(first, second)).toBeUndefined();
        expect(Math.min(first.artifacts.length, second.artifacts.length)).toBeGreaterThan(0);
      }
      for (const todo of plan.todos) {
        const now = apart.todos.find((other) => other.id === todo.id);
        expect(now?.dependsOn.slice(0, todo.dependsOn.length)).toEqual(todo.dependsOn);
      }
    }),
  );
  const parted = Plan.parse({
    todos: ["a", "b", "c"].map((id) => ({ id, title: "x", artifacts: [id === "c" ? "a.js" : `${id}.js`] })),
  });
  expect(withoutCollisions(parted).todos.map((todo) => todo.dependsOn)).toEqual([[], [], ["a"]]);
});
