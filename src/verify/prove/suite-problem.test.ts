import { expect, test } from "vitest";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { absentBefore, suiteProblem } from "./suite-problem.ts";

type Outcome = TestReport["tests"][number]["outcome"];

const report = (
  tests: [name: string, outcome: Outcome, message?: string][],
  more: Partial<TestReport> = {},
): TestReport => ({
  command: "tests",
  ending: "completed",
  exitCode: 1,
  tests: tests.map(([name, outcome, message = ""]) => ({
    ...{ id: `t.py::${name}`, file: "t.py", name, outcome },
    ...{ durationMs: 0, message },
  })),
  output: "",
  durationMs: 0,
  ...more,
});

const missing = "t.py:1: in <module>\n    import attrs\nE   ModuleNotFoundError: No module named 'attrs.validators'";

test("a suite that cannot be imported on either side is the environment's, and says what is missing", () => {
  const broken = report([["collection", "error", missing]]);
  expect(suiteProblem(broken, broken)).toBe(
    "the tests do not run here: ModuleNotFoundError: No module named 'attrs.validators' (pip install attrs)",
  );
  const node = report([["file", "error", "Error: Cannot find package 'left-pad' imported from /workspace/a.js"]]);
  expect(suiteProblem(node, node)).toContain("Cannot find package 'left-pad' (npm install)");
  const dist = report([["file", "error", "Error: Cannot find module '../dist/index.js'\nRequire stack:"]]);
  expect(suiteProblem(dist, dist)).toContain("(it may have to be built first)");
  const fixture = report([["test_a", "error", "E       fixture 'mocker' not found"]]);
  expect(suiteProblem(fixture, fixture)).toContain("`mocker` is not installed");
});

test("a runner that breaks off says so itself", () => {
  const crashed = report([], { ending: "crashed", output: "usage: …\nerror: unrecognized arguments: --cov\n" });
  expect(suiteProblem(crashed, crashed)).toBe("the tests do not run here: error: unrecognized arguments: --cov");
  const slow = report([], { ending: "timeout" });
  expect(suiteProblem(slow, slow)).toContain("do not come to their end");
});

test("where anything runs, on one side at least, it is no matter of the environment", () => {
  const broken = report([["collection", "error", missing]]);
  expect(suiteProblem(broken, report([["test_a", "passed"]]))).toBeNull();
  expect(
    suiteProblem(
      report([
        ["test_a", "passed"],
        ["collection", "error", missing],
      ]),
      broken,
    ),
  ).toBeNull();
  const wrong = report([["test_a", "failed", "AssertionError: 1 != 2"]]);
  expect(suiteProblem(wrong, wrong)).toBeNull();
  expect(suiteProblem(null, broken)).toBeNull();
  expect(suiteProblem(report([]), report([]))).toBeNull();
  expect(suiteProblem(report([["a", "skipped"]]), report([["a", "skipped"]]))).toBeNull();
});

test("tests that were red for lack of something are told apart from what the change breaks", () => {
  const lacking = "E       fixture 'benchmark' not found";
  const before = report([
    ["test_a", "passed"],
    ["test_b", "error", lacking],
    ["test_c", "error", lacking],
    ["test_d", "failed", "assert 1 == 2"],
  ]);
  const after = report([
    ["test_a", "failed", missing],
    ["test_b", "error", lacking],
    ["test_c", "error", lacking],
    ["test_d", "failed", "assert 1 == 2"],
  ]);
  expect(absentBefore(before, after)).toBe(
    "2 red, as before, because something is not there: fixture 'benchmark' not found (a plugin of pytest that has `benchmark` is not installed)",
  );
  expect(absentBefore(before, report([["test_b", "passed"]]))).toBeNull();
  expect(absentBefore(null, after)).toBeNull();
});
