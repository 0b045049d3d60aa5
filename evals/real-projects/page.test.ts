import { expect, test } from "vitest";
import type { Measured } from "./measure-project.ts";
import { agrees, pageOf } from "./page.ts";

const counts = (passed: number, red = 0) => ({ passed, red, skipped: 0 });
const measured = (change: Partial<Measured>): Measured => ({
  project: "one/two",
  commit: "0123456789abcdef",
  kind: "python, pytest",
  packages: "built",
  setUpSeconds: 1,
  seconds: 2,
  inside: counts(3),
  outside: counts(3),
  ended: true,
  outsideExit: 0,
  cause: "",
  ...change,
});

test.each<[string, Partial<Measured>]>([
  ["both are green", {}],
  ["both are red alike", { inside: counts(2, 1), outside: counts(2, 1), outsideExit: 1 }],
  ["nobody counted outside, and the endings are alike", { outside: null }],
  ["an error outside of all tests", { inside: counts(3, 1), outsideExit: 1 }],
])("agree: %s", (_name, change) => {
  expect(agrees(measured(change))).toBe(true);
});

test.each<[string, Partial<Measured>]>([
  ["nothing ran inside", { inside: null }],
  ["the run inside was cut off", { ended: false }],
  ["red inside alone", { inside: counts(2, 1) }],
  ["red outside alone", { outsideExit: 1 }],
  ["fewer tests inside", { inside: counts(2) }],
])("do not agree: %s", (_name, change) => {
  expect(agrees(measured(change))).toBe(false);
});

test("a page has a row for each and counts those that agree", () => {
  const page = pageOf([measured({}), measured({ inside: null, cause: "a | b" })], "abc", "2026-11-16");
  expect(page).toContain("1 of 2 say the same");
  expect(page).toContain("| one/two 01234567 | python, pytest | built | 1.0 | 2.0 | 3 / 0 / 0 | 3 / 0 / 0 | yes |  |");
  expect(page).toContain("a \\| b");
});
