import { expect, test } from "vitest";
import { overlap } from "./overlapping-globs.ts";

test.each([
  ["src/a.js", "src/a.js"],
  ["src", "src/deep/a.js"],
  ["src/**", "src/a.js"],
  ["src/**/b.js", "src/x/y/b.js"],
  ["src/*.js", "src/a*.js"],
  ["a.js", "src/a.js"],
  ["**", "anything"],
  ["src/{a,b}.js", "src/b.js"],
])("%s and %s may share a file", (one, other) => {
  expect(overlap(one, other)).toBe(true);
  expect(overlap(other, one)).toBe(true);
});

test.each([
  ["src/a.js", "src/b.js"],
  ["/a.js", "src/a.js"],
  ["src/*.js", "src/*.ts"],
  ["src/**", "test/**"],
  ["src/a*.js", "src/b*.js"],
  ["/src", "source/a.js"],
  ["!src/**", "src/a.js"],
])("%s and %s share nothing", (one, other) => {
  expect(overlap(one, other)).toBe(false);
  expect(overlap(other, one)).toBe(false);
});

test("many stars take no time", () => {
  const stars = Array.from({ length: 300 }, () => "**/a*").join("/");
  expect(overlap(`${stars}/x`, `${stars}/y`)).toBe(true);
});
