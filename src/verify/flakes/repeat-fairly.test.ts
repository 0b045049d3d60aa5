import { expect, test } from "vitest";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { RunVaried } from "./find-flakes.ts";
import { repeatFairly } from "./repeat-fairly.ts";

const report = (tests: Record<string, "passed" | "failed">): TestReport => ({
  command: "tests",
  ending: "completed",
  exitCode: 0,
  tests: Object.entries(tests).map(([id, outcome]) => {
    const [file = "", name = ""] = id.split("::");
    return { id, file, name, outcome, durationMs: 0, message: "" };
  }),
  output: "",
  durationMs: 0,
});

const GREEN = { "a.py::old": "passed", "a.py::new": "passed", "b.py::new": "passed" } as const;
const BEFORE = { "a.py::old": "passed" } as const;

/** Answers in turn; the last one again and again. */
const inTurn = (...answers: TestReport[]): RunVaried => {
  let turn = 0;
  return async () => answers[Math.min(turn++, answers.length - 1)] ?? report({});
};

const fairly = (run: RunVaried, onBase: RunVaried, tests: string[] = Object.keys(GREEN)) =>
  repeatFairly({ base: null, before: report(BEFORE), after: report(GREEN), tests, run, onBase, canShuffle: false });

test("a test that flips on the base as well was so before, and so is what the change adds to its file", async () => {
  const red = report({ "a.py::old": "failed", "a.py::new": "failed", "b.py::new": "failed" });
  const found = await fairly(inTurn(red), inTurn(report({ "a.py::old": "failed" })));
  expect(found.flipped.map(({ id }) => id)).toEqual(["b.py::new"]);
  expect(found.quarantined).toEqual(["a.py::new", "a.py::old"]);
});

test("a new test in a file whose old tests are steady is held against the change", async () => {
  const red = report({ ...GREEN, "a.py::new": "failed" });
  const found = await fairly(inTurn(red), inTurn(report(BEFORE)));
  expect(found.flipped.map(({ id }) => id)).toEqual(["a.py::new"]);
});

test("an old test that flips once, on a busy machine, is not blamed; one that does so again is", async () => {
  const red = report({ ...GREEN, "a.py::old": "failed" });
  const once = await fairly(inTurn(red, report(GREEN)), inTurn(report(BEFORE)));
  expect(once).toMatchObject({ flipped: [], quarantined: ["a.py::old"] });
  const again = await fairly(inTurn(red), inTurn(report(BEFORE)));
  expect(again.flipped.map(({ id }) => id)).toEqual(["a.py::old"]);
});
