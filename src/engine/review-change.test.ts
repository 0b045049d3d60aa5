import { expect, test } from "vitest";
import { answeredRounds, misplaced } from "./review-change.ts";

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

test("a finding needs a file and a line that are there", () => {
  const at = (path: string, line: number) => ({ severity: "low" as const, path, line, message: "m", instead: "" });
  const linesOf = (path: string) => (path === "a.py" ? 3 : null);
  expect(misplaced([at("a.py", 3)], linesOf)).toBeUndefined();
  expect(misplaced([at("a.py", 4)], linesOf)).toBe("a.py has 3 lines, so there is no line 4");
  expect(misplaced([at("b.py", 1)], linesOf)).toContain("there is no file b.py");
});
