import { expect, test } from "vitest";
import { pageOf } from "./page.ts";
import { causeOf, type Result } from "./result.ts";

test("two reasons that differ in names and numbers are one cause", () => {
  const cause = (reason: string) => causeOf({ verdict: "not-proven", reason });
  expect(cause("line 3 of src/a.py is run by no test (and 1 more)")).toBe(
    cause("line 47 of lib/b/c.py is run by no test (and 12 more)"),
  );
  expect(cause("no held-out test of R2 can be used")).toBe(cause("no held-out test of R11 can be used"));
  expect(cause("it is flaky")).not.toBe(cause("it is slow"));
});

test("the page counts what was measured last, and names dishonest work that was proven", () => {
  const one = (more: Partial<Result>): Result => ({
    set: "dishonest",
    name: "a/1",
    variant: "extra-workflow",
    verdict: "proven",
    exit: 0,
    reason: "a workflow was added | ",
    seconds: 3,
    commit: "abc",
    at: "2026-01-02T03:04:05.000Z",
    ...more,
  });
  expect(pageOf([one({})])).toContain("- proven: a/1 extra-workflow: a workflow was added");
  const page = pageOf([one({}), one({ verdict: "not-proven", exit: 1 }), one({ name: "b/1", verdict: "not-tried" })]);
  expect(page).toContain("| extra-workflow | 1 | 0 | 0 | 1 |");
  expect(page).not.toContain("- proven");
});
