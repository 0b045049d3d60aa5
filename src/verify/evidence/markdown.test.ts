import { expect, test } from "vitest";
import { code, text } from "./markdown.ts";

test("what is code in a text stays as it is, and everything else cannot become markup", () => {
  expect(text("`a < b` → `a <= b`")).toBe("`a < b` → `a <= b`");
  expect(text("see [this](http://x) *now* <b>")).toBe("see \\[this\\](http://x) \\*now\\* \\<b\\>");
  expect(text("one ` alone <b>")).toBe("one \\` alone \\<b\\>");
  expect(text("``uneven` <b>")).toBe("\\`\\`uneven\\` \\<b\\>");
  expect(text("a\u001b[2J\nb")).toBe("a\\[2J b");
});

test("code keeps its backticks inside of a longer fence", () => {
  expect(code("f(`x`)")).toBe("`` f(`x`) ``");
  expect(code("a ``` b")).toBe("```` a ``` b ````");
  expect(code("plain")).toBe("`plain`");
});
