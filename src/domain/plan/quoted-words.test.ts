import { expect, test } from "vitest";
import { isAbout, isAmplyQuoted, isQuoted } from "./quoted-words.ts";

const goal = "Round half up, as the law says; the old way goes.";

test.each([
  ["round half up", true],
  ["Round HALF-up", true],
  ["round … the law", true],
  ["round half down", false],
  ["ound half", false],
  ["…", false],
  ["", false],
  [undefined, false],
])("%s is quoted: %s", (quote, said) => {
  expect(isQuoted(goal, quote)).toBe(said);
});

test.each([
  ["the old way goes", true],
  ["round half up … goes", true],
  ["the", false],
  ["the … as", false],
  ["the new way goes", false],
])("%s is quoted so that something may be given up for it: %s", (quote, said) => {
  expect(isAmplyQuoted(goal, quote)).toBe(said);
});

test("of a message that is short all of it is enough", () => {
  expect(isAmplyQuoted("no R2", "no R2")).toBe(true);
  expect(isAmplyQuoted("no R2", "no")).toBe(false);
});

test.each([
  ["rounds half up", "round(2.5) is 3: halves are rounded up", true],
  ["adds two numbers", "calc.add(a, b) returns the sum of two numbers", true],
  ["add", "calc.add(a, b) returns the sum", true],
  ["write a function that rounds", "the result is printed as JSON", false],
  ["the", "the old way goes", true],
])("%j is about %j: %s", (quote, requirement, about) => {
  expect(isAbout(quote, requirement)).toBe(about);
});
