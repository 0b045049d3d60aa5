import { expect, test } from "vitest";
import { bestTree, type Iteration, isStuck } from "./iteration.ts";

const iteration = (number: number, tree: string, red: string[], outcome: Iteration["outcome"] = "red"): Iteration => ({
  number,
  todo: "main",
  tree,
  outcome,
  passed: 0,
  red,
  tokens: 0,
  durationMs: 0,
});

test("one iteration is never stuck", () => {
  expect(isStuck([iteration(1, "a", ["t1"])], 4)).toBe(false);
});

test("the same change with the same red tests is stuck at once", () => {
  expect(isStuck([iteration(1, "a", ["t1"]), iteration(2, "a", ["t1"])], 4)).toBe(true);
});

test("another change with the same red tests may still be on its way", () => {
  expect(isStuck([iteration(1, "a", ["t1"]), iteration(2, "b", ["t1"])], 4)).toBe(false);
});

test("fewer red tests within the patience are progress", () => {
  const history = [3, 3, 3, 3, 2].map((count, index) => iteration(index + 1, `${index}`, reds(count)));
  expect(isStuck(history, 4)).toBe(false);
});

test("no fewer red tests for as long as the patience lasts is stuck", () => {
  const history = [2, 3, 2, 4, 2].map((count, index) => iteration(index + 1, `${index}`, reds(count)));
  expect(isStuck(history, 4)).toBe(true);
  expect(isStuck(history.slice(0, 4), 4)).toBe(false);
});

test("an iteration that never got to a test is no progress over red tests", () => {
  const history = [iteration(1, "a", ["t1"]), iteration(2, "b", [], "blocked"), iteration(3, "c", [], "blocked")];
  expect(isStuck(history, 2)).toBe(true);
});

test("an iteration whose tests were cut off is no progress over red tests", () => {
  const failure = { kind: "timeout", code: "tests.timeout", message: "the tests did not end in time" } as const;
  const cutOff = { ...iteration(2, "b", ["(test run)"]), failure };
  expect(isStuck([iteration(1, "a", ["t1", "t2"]), cutOff, { ...cutOff, number: 3, tree: "c" }], 2)).toBe(true);
});

const reds = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test("the best attempt is the latest of those that came closest to green; one that never was tested is farthest", () => {
  expect(bestTree([])).toBeUndefined();
  const tried = [iteration(1, "a", ["t1"]), iteration(2, "b", ["t1", "t2"]), iteration(3, "c", ["t2"])];
  expect(bestTree(tried)).toBe("c");
  expect(bestTree([...tried, iteration(4, "d", [], "blocked")])).toBe("c");
});
