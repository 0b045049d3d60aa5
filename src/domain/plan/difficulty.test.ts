import { expect, test } from "vitest";
import { type Difficulty, difficultyOf, fromRung, rungOf } from "./difficulty.ts";

const todo = (requirements: number, artifacts: number) => ({
  requirements: Array.from({ length: requirements }, (_, at) => `R${at + 1}`),
  artifacts: Array.from({ length: artifacts }, (_, at) => `file${at}.py`),
  dependsOn: [],
});

test.each([
  [{ small: true, kind: "refactoring" as const }, "easy"],
  [{ small: false, kind: "feature" as const, todo: todo(3, 3) }, "easy"],
  [{ small: false, kind: "feature" as const, todo: todo(4, 1) }, "hard"],
  [{ small: false, kind: "feature" as const, todo: todo(1, 4) }, "hard"],
  [{ small: false, kind: "refactoring" as const, todo: todo(1, 1) }, "hard"],
  [{ small: false }, "hard"],
])("%o is %s", (work, difficulty) => {
  expect(difficultyOf(work)).toBe(difficulty);
});

test("what is easy begins with the cheapest model, and every failure asks a stronger one, up to the last", () => {
  const ladder = { models: ["a/small", "a/middle", "a/large"], parameters: { maxOutputTokens: 1 }, escalate: true };
  const asked = (difficulty: Difficulty) => [0, 1, 2, 9].map((failures) => rungOf(ladder, difficulty, failures));
  expect(asked("easy")).toEqual([0, 1, 2, 2]);
  expect(asked("hard")).toEqual([1, 2, 2, 2]);
  const { escalate: _, ...sequence } = ladder;
  expect(rungOf(sequence, "hard", 5)).toBe(0);
});

test("when the wanted model cannot answer, stronger ones are asked before weaker ones", () => {
  expect(fromRung(["a", "b", "c"], 1)).toEqual(["b", "c", "a"]);
  expect(fromRung(["a", "b", "c"], 2)).toEqual(["c", "b", "a"]);
  expect(fromRung(["a"], 0)).toEqual(["a"]);
});
