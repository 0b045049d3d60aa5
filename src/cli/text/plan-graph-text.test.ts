import fc from "fast-check";
import { expect, test } from "vitest";
import { randomPlan } from "../../../test/random-plan.ts";
import { Plan } from "../../domain/plan/plan.ts";
import { planGraphText } from "./plan-graph-text.ts";

const plan = (todos: Record<string, string[]>) =>
  Plan.parse({ todos: Object.entries(todos).map(([id, dependsOn]) => ({ id, title: "t", dependsOn })) });

test("lanes lead from a todo to all that depend on it", () => {
  const lines = planGraphText(plan({ base: [], left: ["base"], right: ["base"], top: ["left", "right"], alone: [] }));
  expect(lines.map((line) => line.replace(/ +t\b.*$/, ""))).toEqual([
    "●    base",
    "├─┐",
    "│ ●  left",
    "● │  right",
    "├─┘",
    "●    top",
    "●    alone",
  ]);
});

test("every graph is drawn, a line for each todo with its name", () => {
  fc.assert(
    fc.property(randomPlan, (one) => {
      const lines = planGraphText(one);
      expect(lines.filter((line) => line.includes("●")).length).toBe(one.todos.length);
      expect(lines.join("\n")).not.toMatch(/undefined|[╶╴╷╵]/);
    }),
  );
});
