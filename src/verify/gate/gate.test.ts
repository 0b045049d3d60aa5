import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { type Expectation, failureOf, type GateRun, judge } from "./gate.ts";

const file: TestFile = {
  path: "tests/test_new.py",
  content: "",
  todo: "main",
  covers: [{ test: "test_adds", requirement: "R1" }],
};
const expected = (change: Partial<Expectation> = {}): Expectation => ({ files: [file], baseline: null, ...change });
const run = (change: Partial<GateRun>): GateRun => ({ tree: "tree", report: null, accept: [], ...change });

test("passes when every expected test ran and passed", () => {
  const verdict = judge(run({ report: report({ "tests/test_new.py::test_adds": "passed" }) }), expected());
  expect(verdict).toEqual({ passed: true, red: [], reasons: [] });
});

test("finds expected tests in their parametrised and grouped forms", () => {
  const outcomes = {
    "tests/test_new.py::test_adds[1-2]": "passed",
    "tests/test_new.py::test_adds[0-0]": "passed",
  } as const;
  expect(judge(run({ report: report(outcomes) }), expected()).passed).toBe(true);
  expect(judge(run({ report: report({ "tests/test_new.py::TestAll::test_adds": "passed" }) }), expected()).passed).toBe(
    true,
  );
});

test.each([
  ["one that failed", { "tests/test_new.py::test_adds": "failed" } as const, "tests/test_new.py::test_adds"],
  ["one that did not run", { "tests/test_old.py::test_x": "passed" } as const, "tests/test_new.py::test_adds"],
  [
    "one that was skipped",
    { "tests/test_new.py::test_adds": "skipped", "a.py::x": "passed" } as const,
    "tests/test_new.py::test_adds",
  ],
  [
    "one of several parameters",
    { "tests/test_new.py::test_adds[1]": "passed", "tests/test_new.py::test_adds[2]": "failed" } as const,
    "tests/test_new.py::test_adds[2]",
  ],
])("an expected test is not a pass: %s", (_, outcomes, id) => {
  expect(judge(run({ report: report(outcomes) }), expected()).red).toEqual([id]);
});

test("a run without any executed test is no pass", () => {
  const verdict = judge(run({ report: report({}, { exitCode: 5 }) }), expected({ files: [] }));
  expect(verdict.red).toEqual(["(test run)"]);
});

test("a run that was cut off is no pass even if all its tests were green", () => {
  const cut = report({ "tests/test_new.py::test_adds": "passed" }, { ending: "timeout", exitCode: null });
  const verdict = judge(run({ report: cut }), expected());
  expect(verdict.passed).toBe(false);
  expect(failureOf(run({ report: cut }), verdict).kind).toBe("timeout");
});

test("a runner that fails without a red test is no pass", () => {
  const odd = report({ "tests/test_new.py::test_adds": "passed" }, { exitCode: 3 });
  expect(judge(run({ report: odd }), expected()).passed).toBe(false);
});

test("a test that was green before may be neither red nor gone", () => {
  const baseline = report({ "t.py::kept": "passed", "t.py::broken": "passed", "t.py::gone": "passed" });
  const after = report({ "tests/test_new.py::test_adds": "passed", "t.py::kept": "passed", "t.py::broken": "failed" });
  expect(judge(run({ report: after }), expected({ baseline })).red).toEqual(["t.py::broken", "t.py::gone"]);
});

test("a test that was red before is not held against the change", () => {
  const baseline = report({ "t.py::old": "failed", "t.py::fine": "passed" });
  const after = report({ "tests/test_new.py::test_adds": "passed", "t.py::old": "failed", "t.py::fine": "passed" });
  expect(judge(run({ report: after }), expected({ baseline })).passed).toBe(true);
});

test("an accepted command that fails is red and says how", () => {
  const accept = [{ command: "make check", passed: false, ending: "exit code 2", output: "boom" }];
  const verdict = judge(run({ accept }), expected({ files: [] }));
  expect(verdict.reasons).toEqual([{ id: "$ make check", message: "boom\nexit code 2" }]);
});

test("a limit that was hit is a failure of its own kind", () => {
  const limited = run({ report: report({}, { ending: "resource-limit", exitCode: null }) });
  expect(failureOf(limited, judge(limited, expected())).kind).toBe("resource-limit");
});

test("a run that was cut off names no test that it did not get to", () => {
  const baseline = report({ "t.py::later": "passed" });
  const cut = run({ report: report({ "t.py::first": "failed" }, { ending: "timeout", exitCode: null }) });
  expect(judge(cut, expected({ baseline })).red).toEqual(["(test run)", "t.py::first"]);
});

test("an accepted command that was cut off is not called red", () => {
  const accept = (ending: string) => [{ command: "make check", passed: false, ending, output: "" }];
  const late = run({ accept: accept("timeout") });
  expect(failureOf(late, judge(late, expected({ files: [] })))).toMatchObject({
    kind: "timeout",
    message: "`make check` did not end in time",
  });
  const large = run({ accept: accept("memory-limit") });
  expect(failureOf(large, judge(large, expected({ files: [] }))).kind).toBe("resource-limit");
});

test("ids that were fixed before coding must be seen again", () => {
  const files = [{ path: "t.py", content: "", todo: "x", covers: [{ test: "test_a", requirement: "R1" }] }];
  const run = { tree: "x", report: report({ "t.py::test_a[1]": "passed" }), accept: [] };
  const ids = ["t.py::test_a[1]", "t.py::test_a[2]", "later.py::test_b"];
  expect(judge(run, { files, baseline: null, ids }).red).toEqual(["t.py::test_a[2]"]);
});

test("a test of the suite may turn red only if it was listed before, or was flaky before", () => {
  const baseline = report({
    "s.py::old": "passed",
    "s.py::flips": "passed",
    "s.py::kept": "passed",
    "s.py::dropped": "passed",
  });
  const after = report({ "s.py::old": "failed", "s.py::flips": "failed", "s.py::kept": "failed" });
  const run = { tree: "x", report: after, accept: [] };
  const expected = { files: [], baseline, superseded: ["s.py::old", "s.py::dropped"], quarantined: ["s.py::flips"] };
  expect(judge(run, expected).red).toEqual(["s.py::kept"]);
});

test("new complaints of a check are red", () => {
  const run = {
    tree: "x",
    report: report({ "s.py::a": "passed" }),
    accept: [],
    checks: [
      { command: "lint", passed: false, fresh: ["a.py: unused"] },
      { command: "types", passed: true, fresh: [] },
    ],
  };
  expect(judge(run, { files: [], baseline: null }).red).toEqual(["$ lint"]);
});

test("a module that is not there is named, and not the tests that it kept from running", () => {
  const message = "tests/test_new.py:1: in <module>\nE   ModuleNotFoundError: No module named 'tiny'";
  const broken = report({ "tests/test_new.py::collection": "error" }, { exitCode: 2 });
  const seen = run({ report: { ...broken, tests: broken.tests.map((test) => ({ ...test, message })) } });
  const failure = failureOf(seen, judge(seen, expected()));
  expect(failure.message).toMatch(/^2 red: .*: No module named 'tiny'$/);
  expect(failure.detail).toContain(message);
  const plain = run({ report: report({ "tests/test_new.py::test_adds": "failed" }) });
  expect(failureOf(plain, judge(plain, expected())).message).toBe("1 red: tests/test_new.py::test_adds");
});
