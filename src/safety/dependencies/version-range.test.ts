import { expect, test } from "vitest";
import { isWithin } from "./version-range.ts";

test.each([
  ["==8.1.0", ">=7", true],
  ["==6.9", ">=7", false],
  [">=8", ">=7", true],
  [">=6", ">=7", false],
  ["^1.2", ">=1,<2", true],
  ["^1.2", ">=1,<1.5", false],
  ["~1.4.2", "^1.4", true],
  ["~=1.4", ">=1,<2", true],
  ["1.x", "^1", true],
  ["v1.9.0", "*", true],
  [null, ">=7", true],
  [null, ">=7,<9", false],
  ["latest", ">=7", true],
  ["", "*", true],
  ["==1.2.3", "==1.2.3", true],
  ["==1.2.4", "==1.2.3", false],
  ["<=2", ">=1,<3", false],
  [">=1,<=2", ">=1,<3", true],
  ["whatever", "*", false],
  ["^0.3.1", "^0.3", true],
])("%j within %j: %j", (request, allowed, expected) => {
  expect(isWithin(request, allowed)).toBe(expected);
});
