import { expect, test } from "vitest";
import { didYouMean, nearest } from "./did-you-mean.ts";

const commands = ["run", "resume", "history", "show", "config", "doctor"];

test("finds a word with a slip of the fingers", () => {
  expect(nearest("histroy", commands)).toBe("history");
  expect(nearest("Config", commands)).toBe("config");
  expect(nearest("rum", commands)).toBe("run");
});

test("stays silent when nothing is near", () => {
  expect(nearest("elephant", commands)).toBeUndefined();
  expect(didYouMean("elephant", commands)).toBe("");
});
