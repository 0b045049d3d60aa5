import fc from "fast-check";
import { expect, test } from "vitest";
import { orderTodos, Plan, TodoId } from "./plan.ts";

const plan = (todos: Record<string, string[]>) =>
  Plan.parse({ todos: Object.entries(todos).map(([id, dependsOn]) => ({ id, title: id, dependsOn })) });

test("todos come after what they depend on, otherwise in plan order", () => {
  const ordered = orderTodos(plan({ c: ["a"], a: [], b: [], d: ["c", "b"] }));
  expect(ordered.map((todo) => todo.id)).toEqual(["a", "c", "b", "d"]);
});

test("of todos that could begin the one with the higher priority comes first, behind what is done", () => {
  const { todos } = plan({ low: [], high: [], top: ["low"], done: [] });
  const ranked = todos.map((todo) => ({ ...todo, priority: { high: 2, top: 9 }[todo.id] ?? 0 }));
  expect(orderTodos({ todos: ranked }).map(({ id }) => id)).toEqual(["high", "low", "top", "done"]);
  const after = orderTodos({ todos: ranked }, new Set(["done"]));
  expect(after.map(({ id }) => id)).toEqual(["done", "high", "low", "top"]);
});

test("an id may have words joined by - or _", () => {
  for (const id of ["read-input", "t2_indicators"]) expect(TodoId.parse(id)).toBe(id);
});

test.each([
  [{ a: ["b"], b: ["a"] }, "in a circle: a, b"],
  [{ a: ["a"] }, "in a circle: a"],
  [{ a: ["x"] }, "a depends on x, which the plan does not have"],
])("a broken graph is refused with its reason", (todos, message) => {
  expect(() => orderTodos(plan(todos as Record<string, string[]>))).toThrow(message);
});

test("two todos with one id are refused", () => {
  const twice = Plan.parse({
    todos: [
      { id: "a", title: "a" },
      { id: "a", title: "b" },
    ],
  });
  expect(() => orderTodos(twice)).toThrow("same id");
});

test.each(["result", "A", "1a", "_a", "a/b", "", "a".repeat(41)])("%j is no id of a todo", (id) => {
  expect(TodoId.safeParse(id).success).toBe(false);
});

test("any graph without circles is ordered completely", () => {
  const graph = fc
    .integer({ min: 1, max: 12 })
    .chain((size) =>
      fc.tuple(
        ...Array.from({ length: size }, (_, index) =>
          fc.subarray(Array.from({ length: index }, (__, other) => `t${other}`)),
        ),
      ),
    );
  fc.assert(
    fc.property(graph, (dependencies) => {
      const todos = Object.fromEntries(dependencies.map((ids, index) => [`t${index}`, ids]));
      const seen = new Set<string>();
      for (const todo of orderTodos(plan(todos))) {
        expect(todo.dependsOn.every((id) => seen.has(id))).toBe(true);
        seen.add(todo.id);
      }
      expect(seen.size).toBe(dependencies.length);
    }),
  );
});
