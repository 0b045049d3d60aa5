import { expect, test } from "vitest";
import { speaksOf, speaksOfEnding } from "./spoken-of.ts";

test.each([
  'f"{kind}.md"',
  ["`$", "{kind}.md`"].join(""),
  'kind + ".md"',
  '"%s.md" % kind',
  '"{}.md".format(kind)',
  '"*.md"',
])("%s speaks of all files with this ending", (text) => {
  expect(speaksOfEnding(text, "letters/refund.md")).toBe(true);
  expect(speaksOfEnding(text, "letters/refund.txt")).toBe(false);
});

test("a folder that is read as a whole speaks of what is in it", () => {
  const path = "app/letters/refund.md";
  expect(speaksOf('Path("letters").iterdir()', path)).toBe(true);
  expect(speaksOf('FileSystemLoader("app/letters")', path)).toBe(true);
  expect(speaksOf("//go:embed app/letters/*\n", path)).toBe(true);
  expect(speaksOf('find("letters")', path)).toBe(false);
  expect(speaksOf('"https://example.com/letters/" and list.iterdir()', path)).toBe(false);
  expect(speaksOf('Path("docs").iterdir()', "docs/refund.md")).toBe(false);
});
