import { expect, test } from "vitest";
import { isWording } from "./is-wording.ts";

const SAID = "a negative fee is refused with the words: must not be negative";
const at = (content: string, part: string, operator: "constant" | "boundary" = "constant") => {
  const from = content.indexOf(part);
  return isWording({ operator, from, to: from + part.length }, content, SAID);
};

test("words of a text that the spec does not speak of are wording, with their quotes or without", () => {
  expect(at('raise ValueError("please try again")', '"please try again"')).toBe(true);
  expect(at('raise ValueError("please try again")', "please try again")).toBe(true);
  expect(at('open(path, encoding="utf-8")', '"utf-8"')).toBe(true);
});

test("words that the spec has are not, nor are numbers, names and other changes", () => {
  expect(at('raise ValueError("must not be negative")', '"must not be negative"')).toBe(false);
  expect(at("limit = 10", "10")).toBe(false);
  expect(at("limit = True", "True")).toBe(false);
  expect(at('if name < "please":', '"please"', "boundary")).toBe(false);
});
