import fc from "fast-check";
import { expect, test } from "vitest";
import type { PlanState } from "../shapes.ts";
import { layoutPlan, nodesOf, type PlanNode } from "./layout-plan.ts";

const todo = (id: string, dependsOn: string[] = [], parent: string | null = null): PlanNode => ({
  id,
  title: id,
  state: "ready",
  dependsOn,
  attempt: 0,
  failure: "",
  parent,
  reason: "",
});

const places = (todos: PlanNode[]) =>
  Object.fromEntries(layoutPlan(todos).placed.map(({ todo: { id }, column, row }) => [id, [column, row]]));

test("a todo stands to the right of all it depends on, a branch under its parent", () => {
  const todos = [todo("a"), todo("b"), todo("c", ["a", "b"]), todo("d", ["c", "a"]), todo("a-1", [], "a")];
  expect(places(todos)).toEqual({ a: [0, 0], "a-1": [0, 1], b: [0, 2], c: [1, 0], d: [2, 0] });
  const edges = layoutPlan(todos).edges.map(
    ({ from, to, branch }) => `${from.todo.id}${branch ? "…" : ">"}${to.todo.id}`,
  );
  expect(edges.toSorted()).toEqual(["a>c", "a>d", "a…a-1", "b>c", "c>d"]);
});

test("what is named and not there, and even a circle, does no harm", () => {
  expect(places([todo("a", ["gone"]), todo("b", ["c"]), todo("c", ["b"])])).toMatchObject({ a: [0, 0] });
  expect(layoutPlan([])).toEqual({ placed: [], edges: [], columns: 0, rows: 0 });
});

test("each todo of any plan has a place of its own, behind its dependencies", () => {
  const plans = fc.array(fc.array(fc.nat(20), { maxLength: 3 }), { maxLength: 20 });
  fc.assert(
    fc.property(plans, (graph) => {
      const todos = graph.map((before, index) =>
        todo(
          `t${index}`,
          before.filter((other) => other < index).map((other) => `t${other}`),
        ),
      );
      const { placed, edges } = layoutPlan(todos);
      expect(placed).toHaveLength(todos.length);
      expect(new Set(placed.map(({ column, row }) => `${column}.${row}`)).size).toBe(todos.length);
      for (const { from, to } of edges) expect(to.column).toBeGreaterThan(from.column);
    }),
  );
});

test("a branch has a state of its own beside its parent's", () => {
  const lists = { dependsOn: [], requirements: [], acceptance: [], artifacts: [] };
  const progress = { attempt: 1, iteration: 1, worker: null, begunAt: null, endedAt: null, failure: null };
  const branch = { parent: "a", reason: "flaky_test", finding: "it flips", instructions: "", maxAttempts: 3 } as const;
  const plan: PlanState = {
    spec: { title: "a", kind: "fix", language: "python", requirements: [], outOfScope: [], accept: [] },
    todos: [{ todo: { id: "a", title: "write a", role: "coder", ...lists }, state: "branched", ...progress }],
    branches: [
      { ...branch, id: "a-debug", state: "failed", endedAt: 1 },
      { ...branch, id: "a-debug-2", state: "running", endedAt: null },
    ],
  };
  expect(nodesOf(plan).map((node) => [node.id, node.state])).toEqual([
    ["a", "branched"],
    ["a-debug", "failed"],
    ["a-debug-2", "running"],
  ]);
});
