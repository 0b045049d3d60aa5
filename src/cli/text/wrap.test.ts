import { expect, test } from "vitest";
import { widthOf } from "./printable.ts";
import { reflow, wrap, wrapEntry } from "./wrap.ts";

test("breaks between words, and further lines stand under the first one", () => {
  expect(wrap("a short line", 20)).toEqual(["a short line"]);
  expect(wrap("one two three four", 9)).toEqual(["one two", "  three", "  four"]);
  expect(wrap("  ✓ R1 says what it does", 16)).toEqual(["  ✓ R1 says what", "       it does"]);
});

test("never exceeds the width, whatever it is given, and loses no character", () => {
  const texts = [
    "wide 日本語のとても長い文章 and narrow",
    "x".repeat(50),
    "  R12 a/very/long/path/without/any/space.py b",
    "",
  ];
  for (const text of texts) {
    for (let columns = 2; columns < 40; columns += 1) {
      const lines = wrap(text, columns);
      for (const one of lines) expect(widthOf(one), `${text} at ${columns}`).toBeLessThanOrEqual(columns);
      expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
    }
  }
});

test("what is said of an entry stays beside it, as long as there is room for a column", () => {
  const entry = "  --accept <command>   a command whose success you accept as proof";
  expect(wrapEntry(entry, 50)).toEqual([
    "  --accept <command>   a command whose success you",
    "                       accept as proof",
  ]);
  expect(reflow(entry, 50).split("\n")).toEqual(wrapEntry(entry, 50));
  expect(wrapEntry(entry, 40)).toEqual(["  --accept <command>   a command whose", "  success you accept as proof"]);
});

test("paragraphs of a page are set anew for a narrower terminal, and lists stay as they are", () => {
  const page = `${"word ".repeat(20).trim()}\n${"next ".repeat(3).trim()}\n\n${"line ".repeat(18).trim()}\nExamples:\n  miracle prove     the change`;
  expect(reflow(page, 60).split("\n")).toEqual([
    "word ".repeat(12).trim(),
    `${"word ".repeat(8)}next next next`,
    "",
    "line ".repeat(12).trim(),
    "line ".repeat(6).trim(),
    "Examples:",
    "  miracle prove     the change",
  ]);
});
