import { expect, test } from "vitest";
import { Todo } from "../../domain/plan/plan.ts";
import { YIELDED } from "../todo/yield-todo.ts";
import { PlanProgress } from "./plan-progress.ts";

const todo = Todo.parse({ id: "large", title: "too large" });
const left = (tree: string, judged: string | null) => {
  const progress = new PlanProgress("start");
  const gate = judged === null ? null : { tree: judged, report: null, accept: [] };
  const result = { settled: { ok: false, failure: YIELDED } as const, tree, gate, iterations: [], tampering: [] };
  progress.settle(todo, { ...result, yielded: { after: 1, notes: [] } }, { from: "start", foundation: [] });
  return progress;
};

test("another todo begins from what was left of one that is gone, unless no gate ever put it right", () => {
  expect(left("tried", "tried").treeFor("next")).toBe("tried");
  expect(left("tried", null).treeFor("next")).toBe("start");
  expect(left("tried", "earlier").treeFor("next")).toBe("start");
});

test("what comes next itself goes on from its own tree, judged or not", () => {
  const progress = left("tried", null);
  expect(progress.treeFor("large")).toBe("start");
  expect(progress.begun.get("large")?.tree).toBe("tried");
});
