import { expect, test } from "vitest";
import type { TaskSummary } from "../../domain/task/task.ts";
import { describeTask } from "./task-text.ts";

test("tokens of recorded answers, which no budget counts, are told as used", () => {
  const task = { id: "t1", goal: "x", directory: "/", status: "proven", iterations: 2, tokens: 0, costMicros: 0 };
  const summary = { ...task, createdAt: 0, phase: "", parent: null, forkedAt: null, failure: null } as TaskSummary;
  expect(describeTask(summary, "proven", 0, undefined, 20_100)).toContain("2 iterations, 20.1k tokens, free\n");
});
