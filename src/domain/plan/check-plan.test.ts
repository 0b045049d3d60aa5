import fc from "fast-check";
import { expect, test } from "vitest";
import { randomPlan } from "../../../test/random-plan.ts";
import { checkPlan } from "./check-plan.ts";
import { orderTodos, Plan } from "./plan.ts";

type Sketch = { dependsOn?: string[]; files?: string[]; artifacts?: string[]; requirements?: string[] };
const plan = (todos: Record<string, Sketch>) =>
  Plan.parse({ todos: Object.entries(todos).map(([id, rest]) => ({ id, title: id, requirements: ["R1"], ...rest })) });

test.each<[string, Plan, string, string]>([
  ["plan.cycle", plan({ a: { dependsOn: ["b"] }, b: { dependsOn: ["a"] } }), "a", "in a circle: a, b"],
  ["plan.cycle", plan({ a: { dependsOn: ["a"] } }), "a", "in a circle: a"],
  ["plan.dangling", plan({ a: { dependsOn: ["x"] } }), "a", "depends on x, which the plan does not have"],
  ["plan.no-acceptance", plan({ a: {}, b: { requirements: [] } }), "b", "nothing says when todo b is done"],
  ["plan.collision", plan({ a: { artifacts: ["src/n.js"] }, b: { files: ["src/**"] } }), "b", "both write src/n.js"],
  ["plan.unknown-requirement", plan({ a: { requirements: ["R1", "R9"] } }), "a", "names requirement R9"],
])("%s is found, with its todo and why", (code, broken, todo, message) => {
  const [problem, ...others] = checkPlan(broken, ["R1"]);
  expect(problem).toMatchObject({ code, todo, message: expect.stringContaining(message) });
  expect(others).toEqual([]);
});

test("all that is wrong is told at once, with what can never begin because of it", () => {
  const broken = plan({ a: { dependsOn: ["b"] }, b: { dependsOn: ["a"] }, c: { dependsOn: ["b"], requirements: [] } });
  expect(checkPlan(broken, ["R1", "R2"]).map(({ code, todo }) => `${code} ${todo}`)).toEqual([
    "plan.cycle a",
    "plan.unreachable c",
    "plan.no-acceptance c",
    "plan.unassigned ",
  ]);
  const [twice] = checkPlan({ todos: [...plan({ a: {} }).todos, ...plan({ a: {} }).todos] });
  expect(twice).toMatchObject({ code: "plan.duplicate", todo: "a" });
});

test("a plan without problems can be put in order, one with a circle or a missing todo cannot", () => {
  const spoiled = fc.tuple(randomPlan, fc.nat(), fc.nat(), fc.boolean()).map(([one, from, to, missing]) => {
    const { todos } = one;
    const target = missing ? "nowhere" : (todos[to % todos.length]?.id ?? "");
    const at = from % todos.length;
    return {
      todos: todos.map((todo, index) =>
        index === at ? { ...todo, dependsOn: [...todo.dependsOn, target], artifacts: [] } : { ...todo, artifacts: [] },
      ),
    };
  });
  const canOrder = (one: Plan) => {
    try {
      return orderTodos(one).length === one.todos.length;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(spoiled, (one) => {
      expect(checkPlan(one).length === 0).toBe(canOrder(one));
    }),
  );
});
