import { expect, test } from "vitest";
import { workingTime } from "./working-time.ts";

test("a long pause takes no room, a short one its own", () => {
  const time = workingTime([
    { from: 1_000, to: 2_000 },
    { from: 2_500, to: 4_000 },
    { from: 1_004_000, to: 1_005_000 },
  ]);
  expect(time.at(1_000)).toBe(0);
  expect(time.at(2_500)).toBe(1_500);
  expect(time.at(1_004_000)).toBe(8_000);
  expect(time.total).toBe(9_000);
  expect(workingTime([]).total).toBe(0);
});
