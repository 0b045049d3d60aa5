import { expect, test } from "vitest";
import { painter } from "./paint.ts";
import { wrapPainted } from "./wrap-painted.ts";

test("a long line of code is broken between words, under its own indentation", () => {
  expect(wrapPainted("+    return alpha + beta + gamma", 20)).toEqual(["+    return alpha +", "       beta + gamma"]);
  expect(wrapPainted(" short enough", 20)).toEqual([" short enough"]);
});

test("a word that is wider than the terminal is cut, and nothing of it is lost", () => {
  expect(wrapPainted("+abcdefghijklmnopqrstuvwxyz", 12)).toEqual(["+abcdefghijk", "   lmnopqrst", "   uvwxyz"]);
  const deep = wrapPainted(`+${"\t".repeat(6)}return value`, 20);
  expect(deep.join("").replaceAll(/\s/g, "")).toBe("+returnvalue");
});

test("a colour ends with its line and begins again on the next, not on the blank before it", () => {
  const paint = painter(true);
  expect(wrapPainted(`${paint("+", "green")}${paint("one two three", "greenOn")} four`, 9)).toEqual([
    `${paint("+", "green")}${paint("one two", "greenOn")}`,
    `   ${paint("three", "greenOn")}`,
    "   four",
  ]);
});
