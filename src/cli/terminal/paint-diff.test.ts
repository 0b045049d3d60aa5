import { expect, test } from "vitest";
import { painter } from "./paint.ts";
import { changedWords, paintDiff } from "./paint-diff.ts";

const DIFF = `diff --git a/fee.py b/fee.py
--- a/fee.py
+++ b/fee.py
@@ -1,3 +1,4 @@
 def fee(days):
-    return max(days, 30)
+    return min(days, 30)
+# capped
`;

test("without colours a diff stays as it is, but for what would act on a terminal", () => {
  expect(paintDiff(DIFF, painter(false))).toBe(DIFF);
  expect(paintDiff("+\u001b[2Jgone", painter(true))).not.toContain("\u001b[2J");
});

test("shows what was removed and added, and of a changed line the words", () => {
  const shown = paintDiff(DIFF.replace("+# capped\n", ""), painter(true));
  expect(shown).toContain("\u001b[1m--- a/fee.py\u001b[0m");
  expect(shown).toMatch(/^\u001b\[36m@@ /m);
  expect(shown).toContain("\u001b[31;7mmax\u001b[0m\u001b[31m(days, 30)\u001b[0m");
  expect(shown).toContain("\u001b[32;7mmin\u001b[0m");
});

test("a line of the code that looks like the head of a file is a line of the code", () => {
  const odd = "@@ -1,2 +1,1 @@\n--- a comment of SQL\n kept";
  expect(paintDiff(odd, painter(true))).toContain("\u001b[31m-\u001b[0m\u001b[31m-- a comment of SQL\u001b[0m");
});

test("of code, keywords, strings and comments are told apart, and of other files nothing", () => {
  const tagged = (text: string, ...styles: string[]) => (styles.length > 0 ? `<${styles.join(" ")}|${text}>` : text);
  const diff = ["diff --git a/f.py b/f.py", "@@ -1,2 +1,2 @@", ' if x: """a', "-return 'a'", '+b""" # c'];
  expect(paintDiff(diff.join("\n"), tagged).split("\n").slice(2)).toEqual([
    ' <bold|if> x: <yellow|"""a>',
    "<red|-><yellow|return 'a'>",
    '<green|+><yellow|b"""><green| ><dim green|# c>',
  ]);
  const other = ["diff --git a/LICENSE b/LICENSE", "@@ -1 +1 @@", "-if 'x'"].join("\n");
  expect(paintDiff(other, tagged)).toContain("<red|-><red|if 'x'>");
});

test("lines that have hardly anything in common are not compared word by word", () => {
  expect(changedWords("import os", "print(value)")).toBeNull();
  const words = changedWords("    return days * 2", "    return min(days * 2, 10)");
  expect(words?.old).toEqual([{ text: "    return days * 2", same: true }]);
  expect(words?.now.filter(({ same }) => !same).map(({ text }) => text)).toEqual(["min(", ", 10)"]);
  expect(words?.now.map(({ text }) => text).join("")).toBe("    return min(days * 2, 10)");
});

test("a line that became several is compared with the one that it is most like", () => {
  const marked = (text: string, ...styles: string[]) => (styles.join().includes("On") ? `<${text}>` : text);
  const diff = ["@@ -1 +1,3 @@", "-return f(a)", "+if a:", "+    a = -a", "+return f(a, 2)"].join("\n");
  expect(paintDiff(diff, marked)).toBe(
    ["@@ -1 +1,3 @@", "-return f(a)", "+if a:", "+    a = -a", "+return f(a<, 2>)"].join("\n"),
  );
  const other = ["@@ -1 +1,2 @@", "-return f(a)", "+import os", "+print(os)"].join("\n");
  expect(paintDiff(other, marked), "lines that have little in common are no changed ones").toBe(other);
});
