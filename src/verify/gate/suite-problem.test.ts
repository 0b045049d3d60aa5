import { expect, test } from "vitest";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { absentBefore, describeProblem, suiteProblem, triedPackages } from "./suite-problem.ts";

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

/** Files that cannot be loaded. */
const unloaded = (files: string[], message: string): TestReport["tests"] =>
  files.map((file) => ({
    ...{ id: `${file}::collection`, file, name: "collection", outcome: "error" as const },
    ...{ durationMs: 0, message },
  }));

test("a suite that cannot be imported on either side is the environment's, and says what is missing", () => {
  const broken = report([["collection", "error", missing]]);
  expect(suiteProblem(broken, broken)).toEqual({
    nothingRuns: true,
    what: "the tests do not run here: ModuleNotFoundError: No module named 'attrs.validators' in 1 of 1 file of tests",
    remedy: "install attrs, in a .venv of the project or by its manifests",
  });
  const node = report([["file", "error", "Error: Cannot find package 'left-pad' imported from /workspace/a.js"]]);
  expect(suiteProblem(node, node)).toMatchObject({ remedy: "npm install" });
  const dist = report([["file", "error", "Error: Cannot find module '../dist/index.js'\nRequire stack:"]]);
  expect(suiteProblem(dist, dist)?.remedy).toContain("it may have to be built first");
  const fixture = report([["test_a", "error", "E       fixture 'mocker' not found"]]);
  expect(suiteProblem(fixture, fixture)).toMatchObject({
    what: "the tests do not run here: fixture 'mocker' not found in 1 of 1 test",
    remedy: "a plugin of pytest that has `mocker` is not installed",
  });
});

test("what is absent in most tests is told with their number, and a module of the tree's own has to be made", () => {
  const version = "E   ModuleNotFoundError: No module named 'humanize._version'";
  const files = Array.from({ length: 28 }, (_, index) => `tests/test_${index}.py`);
  const broken = report([], { tests: [...unloaded(files.slice(1), version), ...unloaded(["a.py"], missing)] });
  const problem = suiteProblem(broken, broken, (name) => name === "humanize");
  expect(problem?.what).toBe(
    "the tests do not run here: ModuleNotFoundError: No module named 'humanize._version' in 27 of 28 files of tests, " +
      "ModuleNotFoundError: No module named 'attrs.validators' in 1",
  );
  expect(problem?.remedy).toBe(
    "it may have to be built first: say how in .miracle/environment.yaml; " +
      "install attrs, in a .venv of the project or by its manifests",
  );
});

test("where only a small part is green, and what is red lacks something, that is said with counts", () => {
  const some = (files: string[]) =>
    report([["test_a", "passed"]], { tests: [...report([["test_a", "passed"]]).tests, ...unloaded(files, missing)] });
  const hardly = some(["a.py", "b.py", "c.py", "d.py"]);
  expect(suiteProblem(hardly, hardly)).toMatchObject({
    nothingRuns: false,
    what: "only a part of the tests runs here: ModuleNotFoundError: No module named 'attrs.validators' in 4 of 5 files of tests",
  });
  const half = some(["a.py"]);
  expect(suiteProblem(half, half)?.what).toContain("in 1 of 2 files of tests");
  const [green] = report([["test_b", "passed"]]).tests;
  if (!green) throw new Error("there is a test");
  const most = { ...half, tests: [...half.tests, { ...green, file: "u.py" }] };
  expect(suiteProblem(most, most)).toBeNull();
  expect(suiteProblem(hardly, most)).toBeNull();
  expect(suiteProblem(most, hardly)).toBeNull();
  const wrong = report([
    ["test_a", "passed"],
    ...Array.from({ length: 12 }, (_, index): [string, Outcome, string] => [
      `test_b${index}`,
      "failed",
      "assert 1 == 2",
    ]),
  ]);
  expect(suiteProblem(wrong, wrong)).toBeNull();
});

test("a few green tests of one file are a small part, unless most of the others fail by themselves", () => {
  const lacking = "E       fixture 'benchmark' not found";
  const some = (green: number, red: number, message: string) =>
    report([
      ...Array.from({ length: green }, (_, index): [string, Outcome] => [`test_${index}`, "passed"]),
      ...Array.from({ length: red }, (_, index): [string, Outcome, string] => [`test_r${index}`, "failed", message]),
    ]);
  expect(suiteProblem(some(1, 9, lacking), some(1, 9, lacking))).toMatchObject({ nothingRuns: false });
  expect(suiteProblem(some(2, 9, lacking), some(2, 9, lacking))).toBeNull();
  const mixed = some(1, 9, "assert 1 == 2");
  mixed.tests.push(...some(0, 4, lacking).tests);
  expect(suiteProblem(mixed, mixed)).toBeNull();
});

test("tests that fail for lack of something ran no more than a file that cannot be loaded", () => {
  const lacking = report([["test_a", "failed", "E       fixture 'benchmark' not found"]]);
  expect(suiteProblem(lacking, lacking)).toMatchObject({ nothingRuns: true });
  const file = report([["file", "failed", "TypeError: x is not a function"]]);
  expect(suiteProblem(file, file)?.what).toBe("the tests do not run here: TypeError: x is not a function");
});

test("what most of the tests lack is named first, in whatever order they ran", () => {
  const other = "ModuleNotFoundError: No module named 'x'";
  const broken = report([], { tests: [...unloaded(["a.py"], missing), ...unloaded(["b.py", "c.py"], other)] });
  expect(suiteProblem(broken, broken)?.what).toContain(`${other} in 2 of 3 files of tests, ModuleNotFoundError`);
});

test("a runner that breaks off says so itself", () => {
  const usage = "ERROR: usage: -c [options]\n-c: error: unrecognized arguments: --cov=src\n  rootdir: /workspace\n";
  const crashed = report([], { ending: "crashed", output: usage });
  expect(suiteProblem(crashed, crashed)).toEqual({
    nothingRuns: true,
    what: "the tests do not run here: unrecognized arguments: --cov=src, before any test",
    remedy: "a plugin of pytest that has `--cov` is not installed",
  });
  const other = report([], { ending: "crashed", output: "ERROR: /workspace/tox.ini: 'x' is no ini-file\n" });
  expect(suiteProblem(other, other)?.what).toContain("'x' is no ini-file");
  const told = report([["file", "error", "TypeError: boom"]], { ending: "crashed", output: "Error: later\n" });
  expect(suiteProblem(told, told)?.what).toContain("TypeError: boom");
  const slow = report([], { ending: "timeout" });
  expect(suiteProblem(slow, slow)?.what).toContain("do not come to their end");
});

test("one line says what is wrong, what was tried and what to do", () => {
  const problem = { nothingRuns: true, what: "the tests do not run here: no x", remedy: "install x" };
  const missed = "the environment of pyproject.toml could not be built: x cannot be had";
  expect(describeProblem(problem, triedPackages({}, [missed]))).toBe(
    `the tests do not run here: no x; tried: ${missed}; to do: install x`,
  );
  expect(describeProblem(problem, triedPackages({ environment: "python-1" }, []))).toContain(
    "tried: the packages of python-1;",
  );
  expect(describeProblem({ ...problem, remedy: "" }, triedPackages({}, []))).toBe(
    "the tests do not run here: no x; tried: the packages that are installed",
  );
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
  expect(absentBefore(before, after)).toEqual([
    "2 red, as before: fixture 'benchmark' not found (a plugin of pytest that has `benchmark` is not installed)",
  ]);
  expect(absentBefore(before, report([["test_b", "passed"]]))).toEqual([]);
  expect(absentBefore(null, after)).toEqual([]);
});
