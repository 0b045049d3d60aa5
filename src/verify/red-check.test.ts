import { expect, test } from "vitest";
import { report } from "../../test/report-builder.ts";
import type { TestFile } from "../domain/test-file.ts";
import { checkRed } from "./red-check.ts";

const path = "tests/test_new.py";
const file: TestFile = {
  path,
  content: "",
  todo: "main",
  covers: [
    { test: "test_a", requirement: "R1" },
    { test: "test_b", requirement: "R2" },
  ],
};

test("tests that fail before the change are usable", () => {
  const before = report({ [`${path}::test_a`]: "failed", [`${path}::test_b`]: "error" });
  expect(checkRed([file], before)).toEqual({ guards: [], problems: [] });
});

test("a test that passes before the change is a guard", () => {
  const before = report({ [`${path}::test_a`]: "passed", [`${path}::test_b`]: "failed" });
  expect(checkRed([file], before).guards).toEqual([`${path}::test_a`]);
});

test("a missing module hides the tests of a file and is red in the right way", () => {
  const before = report({ [`${path}::(collection)`]: "error" });
  expect(checkRed([file], before)).toEqual({ guards: [], problems: [] });
});

test("a test file that cannot be read is a problem, not a red test", () => {
  const before = report({});
  before.tests.push({
    id: `${path}::(collection)`,
    file: path,
    name: "(collection)",
    outcome: "error",
    durationMs: 0,
    message: `  File "/workspace/${path}", line 3\nSyntaxError: invalid syntax`,
  });
  expect(checkRed([file], before).problems).toEqual([expect.stringContaining("cannot be read by the test runner")]);
});

test("a test that is promised but not there is a problem", () => {
  const before = report({ [`${path}::test_a`]: "failed" });
  expect(checkRed([file], before).problems).toEqual([`${path} has no test called test_b`]);
});

test("a skipped test is a problem", () => {
  const before = report({ [`${path}::test_a`]: "skipped", [`${path}::test_b`]: "failed" });
  expect(checkRed([file], before).problems).toEqual([expect.stringContaining("test_a is skipped")]);
});
