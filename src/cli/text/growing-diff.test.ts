import { expect, test } from "vitest";
import { growingDiff, growthLines } from "./growing-diff.ts";

const hunk = (path: string, ...lines: string[]) =>
  [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, "@@ -1 +1 @@", " kept", ...lines, ""].join("\n");

test("counts the lines of each changed file, and shows the newest ones", () => {
  const whole = hunk("src/fee.py", "-old", "+new", "+more") + hunk("test_fee.py", "+--- no head of a file");
  const step = hunk("src/fee.py", ...["a", "b", "c", "d", "e"].map((text) => `+    ${text}`));
  expect(growthLines(growingDiff(whole, step, [], "fees"), false)).toEqual([
    "  2 files changed: src/fee.py +2 -1, test_fee.py +1",
    "    +     b",
    "    +     c",
    "    +     d",
    "    +     e",
  ]);
  expect(growthLines(growingDiff(whole, "", [], "fees"), true)).toEqual([
    "  fees: 2 files changed: src/fee.py +2 -1, test_fee.py +1",
  ]);
});

test("tests that were given are not counted", () => {
  const whole = hunk("fee.py", "+new") + hunk("tests/test_fee.py", "+assert fee(3) == 9");
  const step = hunk("fee.py", "+new");
  expect(growthLines(growingDiff(whole, step, ["tests/test_fee.py"]), false)).toEqual([
    "  1 file changed: fee.py +1",
    "    + new",
  ]);
});

test("names only a few of many files, and nothing where nothing is left of a change", () => {
  const many = Array.from({ length: 9 }, (_, at) => hunk(`f${at}`, "-gone")).join("");
  expect(growthLines(growingDiff(many, ""), false)).toEqual(["  9 files changed: f0 -1, f1 -1, f2 -1, f3 -1, …"]);
  expect(growthLines(growingDiff("", hunk("f", "-x")), false)).toEqual([]);
});

test("a line of code cannot act on the terminal", () => {
  expect(growthLines(growingDiff(hunk("f", "+x"), hunk("f", "+\u001b[2Jx")), false).join("")).not.toMatch(/\p{Cc}/u);
});
