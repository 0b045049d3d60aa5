import { expect, test } from "vitest";
import { parseDiff } from "./parse-diff.ts";

test("files, hunks and lines have their numbers on both sides", () => {
  const [file, ...others] = parseDiff(
    [
      "diff --git a/src/cart.py b/src/cart.py",
      "index 1..2 100644",
      "--- a/src/cart.py",
      "+++ b/src/cart.py",
      "@@ -3,3 +3,4 @@ def total(prices):",
      " a",
      "-b",
      "+c",
      "+d",
      " e",
      "\\ No newline at end of file",
      "",
    ].join("\n"),
  );
  expect(others).toEqual([]);
  expect(file).toMatchObject({ path: "src/cart.py", change: "changed", added: 2, removed: 1 });
  expect(file?.hunks).toEqual([
    {
      title: "def total(prices):",
      lines: [
        { kind: "same", before: 3, after: 3, text: "a" },
        { kind: "removed", before: 4, text: "b" },
        { kind: "added", after: 4, text: "c" },
        { kind: "added", after: 5, text: "d" },
        { kind: "same", before: 5, after: 6, text: "e" },
        { kind: "note", text: "No newline at end of file" },
      ],
    },
  ]);
});

test("a changed line that looks like a header of git is a line", () => {
  const patch = [
    "diff --git a/notes.md b/notes.md",
    "--- a/notes.md",
    "+++ b/notes.md",
    "@@ -1,2 +1,2 @@",
    "--- a rule",
    "+++ b/other.md",
    " diff --git a/x b/x",
    "",
  ].join("\n");
  const files = parseDiff(patch);
  expect(files.map(({ path }) => path)).toEqual(["notes.md"]);
  expect(files[0]?.hunks[0]?.lines.map(({ text }) => text)).toEqual([
    "-- a rule",
    "++ b/other.md",
    "diff --git a/x b/x",
  ]);
});

test("new, removed, renamed and binary files are told apart, whatever their names", () => {
  const patch = [
    "diff --git a/a b.txt b/a b.txt",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/a b.txt\t",
    "@@ -0,0 +1 @@",
    "+x",
    'diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"',
    "deleted file mode 100644",
    '--- "a/\\303\\244.txt"',
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-x",
    "diff --git a/old.py b/new.py",
    "similarity index 100%",
    "rename from old.py",
    "rename to new.py",
    "diff --git a/x.png b/x.png",
    "Binary files a/x.png and b/x.png differ",
    "",
  ].join("\n");
  expect(parseDiff(patch).map(({ path, from, change, binary }) => ({ path, from, change, binary }))).toEqual([
    { path: "a b.txt", from: undefined, change: "added", binary: false },
    { path: "ä.txt", from: undefined, change: "removed", binary: false },
    { path: "new.py", from: "old.py", change: "renamed", binary: false },
    { path: "x.png", from: undefined, change: "changed", binary: true },
  ]);
});

test("text that is no patch has no files", () => {
  expect(parseDiff("")).toEqual([]);
  expect(parseDiff("hello\n@@ -1 +1 @@\n+x\n")).toEqual([]);
});
