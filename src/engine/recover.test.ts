import { expect, test } from "vitest";
import { FailureKind } from "../domain/failure.ts";
import type { Iteration } from "../domain/iteration.ts";
import { route } from "./recover.ts";

const iteration = (tree: string): Iteration => ({
  number: 1,
  todo: "main",
  tree,
  outcome: "red",
  passed: 0,
  red: ["t"],
  tokens: 0,
  durationMs: 0,
});

test.each(FailureKind.options)("a failure of kind %s is given up only when nothing improves", (kind) => {
  const failure = { kind, code: "x", message: "x" };
  expect(route(failure, [iteration("a")], 4)).toBe(kind === "invalid-input" ? "retry" : "reflect");
  expect(route(failure, [iteration("a"), iteration("a")], 4)).toBe("give-up");
});
