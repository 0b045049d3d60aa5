import { expect, test } from "vitest";
import { answeredRounds, linesShown, misplaced } from "./review-change.ts";

test("a finding is shown with what the author said after it, never before", () => {
  const rounds = [
    { found: "it subtracts", said: "wrote it" },
    { found: "it overflows", said: "it adds now" },
  ];
  expect(answeredRounds(rounds, "bounded")).toEqual([
    "it subtracts\nThe author: it adds now",
    "it overflows\nThe author: bounded",
  ]);
});

test("a round keeps the answer it was given, whatever is said of later changes", () => {
  const rounds = [{ found: "it subtracts", said: "wrote it", answer: "it adds now" }];
  expect(answeredRounds(rounds, "bounded")).toEqual(["it subtracts\nThe author: it adds now"]);
});

test("a finding needs a file and a line that are there", async () => {
  const at = (path: string, line: number) => ({ severity: "low" as const, path, line, message: "m", instead: "" });
  const linesOf = async (path: string) => (path === "a.py" ? 3 : null);
  expect(await misplaced([at("a.py", 3)], linesOf)).toBeUndefined();
  expect(await misplaced([at("a.py", 4)], linesOf)).toBe("a.py has 3 lines, so there is no line 4");
  expect(await misplaced([at("b.py", 1)], linesOf)).toContain("there is no file b.py");
});

test("a diff tells how far it shows each file", () => {
  const diff =
    "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,3 @@\n+@@ -9 +9 @@\n@@ -8 +9,4 @@ def f\n--- /dev/null\n+++ b/y z.py\n@@ -0,0 +1 @@\n";
  expect([...linesShown(diff)]).toEqual([
    ["x.py", 12],
    ["y z.py", 1],
  ]);
});
