import { expect, test } from "vitest";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { blamedTests } from "./blamed-tests.ts";

const file = (path: string, ...names: string[]) => ({
  path,
  content: "",
  todo: "t",
  covers: names.map((name) => ({ test: name, requirement: "R1" })),
});
const report = (outcomes: Record<string, "passed" | "failed">): TestReport => ({
  command: "",
  ending: "completed",
  exitCode: 1,
  output: "",
  durationMs: 0,
  tests: Object.entries(outcomes).map(([id, outcome]) => {
    const [path = "", name = ""] = id.split("::");
    return { id, file: path, name, outcome, durationMs: 0, message: "" };
  }),
});
const given = [file("a.py", "one", "two"), file("b.py", "three")];

test("what is named is meant only where it did not pass and is ours", () => {
  const ran = report({
    "a.py::one[1-2]": "failed",
    "a.py::two": "passed",
    "b.py::three": "failed",
    "own.py::x": "failed",
  });
  const named = (...ids: string[]) => blamedTests(ids, given, ran)?.tests;
  expect(named("a.py::one[1-2]")).toEqual(["one"]);
  expect(named("three")).toEqual(["three"]);
  expect(named("a.py::two")).toBeUndefined();
  expect(named("own.py::x")).toBeUndefined();
});

test("where nothing is named, all that is red is meant, unless it is much; what did not run is red", () => {
  expect(blamedTests([], given, report({ "a.py::one": "passed", "b.py::three": "failed" }))?.tests).toEqual(["two"]);
  expect(blamedTests([], given, null)?.tests).toEqual(["one", "two"]);
  expect(blamedTests([], [file("c.py", "1", "2", "3", "4")], null)).toBeNull();
});
