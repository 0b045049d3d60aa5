import { describe, expect, test } from "vitest";
import {
  type Attempt,
  firstAttempt,
  type Next,
  nextAttempt,
  resumedFrom,
  withNote,
  withRewrittenTests,
} from "./attempt.ts";
import type { TodoResult } from "./todo-work.ts";

const tests = {
  files: [{ path: "test_a.py", content: "old", todo: "a", covers: [] }],
  ids: ["test_a.py::one"],
  guards: [],
};
const first = firstAttempt({ name: "a", tree: "begin", tests, notes: ["known"] });
const openErrors = [{ error: "boom", test: "one", iteration: 2, tree: "tried", reason: null }];

const failed = (tree: string, judged: string | null): TodoResult => ({
  settled: { ok: false, failure: { kind: "logic", code: "red", message: "red" } },
  tree,
  iterations: [1, 2].map((number) => ({
    number,
    todo: "a",
    tree,
    outcome: "red",
    passed: 0,
    red: [],
    tokens: 0,
    durationMs: 0,
  })),
  gate: judged === null ? null : { tree: judged, report: null, accept: [] },
  tampering: [],
  openErrors,
});

const debug = (result: TodoResult, last = first): Attempt =>
  nextAttempt(last, { reason: "debug", name: "a-debug", failed: result, red: "one", maxIterations: 3 });

describe("a first attempt", () => {
  test("begins afresh, and is put back to where it began", () => {
    expect(first).toEqual({
      reason: "first",
      name: "a",
      tree: "begin",
      tests,
      earlier: null,
      integrityBase: "begin",
      resumeFrom: null,
      notes: ["known"],
      openErrors: [],
      failures: 0,
      maxIterations: null,
    });
  });
});

describe("after a failed attempt", () => {
  test("goes on from what it left, and is shown the whole change and what stayed red", () => {
    const next = debug(failed("tried", "tried"));
    expect(next).toMatchObject({ reason: "debug", name: "a-debug", tree: "tried", notes: ["known"], tests });
    expect(next.earlier).toEqual({ from: "begin", red: "one" });
    expect(next).toMatchObject({ openErrors, failures: 2, maxIterations: 3, resumeFrom: null });
  });

  test("a second one still shows the change from where the first began", () => {
    const again = debug(failed("tried again", "tried again"), debug(failed("tried", "tried")));
    expect(again.earlier).toEqual({ from: "begin", red: "one" });
  });

  test.each([
    ["a gate has judged what it left", "tried", "tried", "tried"],
    ["it changed nothing", "begin", null, "begin"],
    ["a reader sent it back before any gate", "tried", null, "begin"],
    ["the gate judged another tree", "tried", "earlier", "begin"],
  ])("tests are put back to the right tree where %s", (_, left, judged, base) => {
    expect(debug(failed(left, judged)).integrityBase).toBe(base);
  });

  test.each(["debug", "candidate", "hint"] as const)("a %s never goes on in the middle of the one before", (reason) => {
    const interrupted = resumedFrom(first, "half", 4);
    const next = nextAttempt(interrupted, {
      reason,
      name: "a-x",
      failed: failed("tried", "tried"),
      red: "",
      maxIterations: 1,
    });
    expect(next.resumeFrom).toBeNull();
  });
});

describe("what a proof finds missing", () => {
  const next: Next = { reason: "mend", name: "mend-1", tree: "finished", notes: ["a behaviour is missing"] };

  test("is mended on the finished change, of which all is shown and nothing is red", () => {
    const mend = nextAttempt({ ...first, notes: ["of the todo"] }, next);
    expect(mend).toMatchObject({ tree: "finished", integrityBase: "finished", notes: ["a behaviour is missing"] });
    expect(mend.earlier).toEqual({ from: "begin", red: "" });
  });
});

test("parts that do not work together are mended where they were merged, with nothing of their own notes", () => {
  const merged = nextAttempt(firstAttempt({ name: "merged", tree: "merged", tests }), {
    reason: "merged",
    notes: ["red"],
  });
  expect(merged).toMatchObject({ reason: "merged", name: "merged", tree: "merged", notes: ["red"], earlier: null });
});

test("tests that were written anew stand in both trees, so that they are no part of the coder's change", () => {
  const file = { path: "test_a.py", content: "new", todo: "a", covers: [] };
  const rewritten = [{ file, guards: [], ids: ["test_a.py::two"], replaced: [] }];
  const placed = { tree: "tried, new tests", from: "begin, new tests" };
  const judged = withRewrittenTests(debug(failed("tried", "tried")), rewritten, placed);
  expect(judged).toMatchObject({
    tree: placed.tree,
    integrityBase: placed.tree,
    earlier: { from: placed.from, red: "" },
  });
  expect(judged.tests).toMatchObject({ files: [{ content: "new" }], ids: ["test_a.py::two"] });
  expect(withRewrittenTests(debug(failed("tried", null)), rewritten, placed).integrityBase).toBe("begin");
});

test("a note is added behind what is known", () => {
  expect(withNote(first, "new").notes).toEqual(["known", "new"]);
});
