import fc from "fast-check";
import { Plan } from "../src/domain/plan/plan.ts";

/** Any graph without circles, for tests: each todo depends on some of those before it, in an order of its own. */
export const randomPlan: fc.Arbitrary<Plan> = fc
  .integer({ min: 1, max: 12 })
  .chain((size) =>
    fc.tuple(
      fc.tuple(
        ...Array.from({ length: size }, (_, index) =>
          fc.record({
            dependsOn: fc.subarray(Array.from({ length: index }, (__, other) => `t${other}`)),
            priority: fc.integer({ min: -2, max: 2 }),
            artifacts: fc.subarray(["a", "b", "c", "d"], { maxLength: 2 }),
          }),
        ),
      ),
      fc.array(fc.nat(), { minLength: size, maxLength: size }),
    ),
  )
  .map(([todos, order]) => {
    const made = todos.map((todo, index) => ({ id: `t${index}`, title: "x", requirements: ["R1"], ...todo }));
    const mixed = made.map((todo, index) => ({ todo, at: order[index] ?? 0 })).sort((a, b) => a.at - b.at);
    return Plan.parse({ todos: mixed.map(({ todo }) => todo) });
  });
