import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { checkRed, type RedRuns } from "./red-check.ts";

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
const [a, b] = [`${path}::test_a`, `${path}::test_b`];
const onBase = (base: TestReport): RedRuns => ({ base, stubs: null, onStubs: [] });
type Outcome = "passed" | "failed" | "error";
const onStubs = (raising: Outcome, byDefault: Outcome, sentinel: Outcome): RedRuns => {
  const of = (outcome: Outcome) => report({ [a]: outcome, [b]: "failed" });
  return {
    base: null,
    stubs: { raising: of(raising), default: of(byDefault), sentinel: of(sentinel) },
    onStubs: [path],
  };
};

test("tests that fail by their own assertion before the change are usable, and their ids are fixed", () => {
  const checked = checkRed(
    [file],
    onBase(report({ [`${path}::test_a[1]`]: "failed", [`${path}::test_a[2]`]: "passed", [b]: "failed" })),
  );
  expect(checked).toEqual({
    guards: new Map(),
    passed: [`${path}::test_a[2]`],
    problems: [],
    ids: [`${path}::test_a[1]`, `${path}::test_a[2]`, b],
  });
});

test("a test that passes before the change is a guard", () => {
  expect([...checkRed([file], onBase(report({ [a]: "passed", [b]: "failed" }))).guards]).toEqual([
    [a, { before: "green", why: "it passes before any change" }],
  ]);
});

test("an import that fails on the project as it is, and a fixture that fails, are problems and not red tests", () => {
  const problems = (of: Parameters<typeof report>[0]) => checkRed([file], onBase(report(of))).problems;
  expect(problems({ [`${path}::collection`]: "error" })).toEqual([
    expect.stringContaining("cannot be run on the project as it is"),
  ]);
  expect(problems({ [a]: "failed", [b]: "error" })).toEqual([expect.stringContaining("test_b fails in its set-up")]);
  expect(problems({})).toEqual([expect.stringContaining("no test of tests/test_new.py ran")]);
});

test("code that is called while tests are declared is named, with what it threw", () => {
  const message =
    "Error: write me\n\n  at new Cart (cart.js:8:11)\n  at tests/test_new.py:5:3\n  at a (b.js:1:1)\n  at c (d.js:1:1)\n  at e (f.js:1:1)";
  const broken = report({ [`${path}::collection`]: "error" });
  const told = broken.tests.map((test) => ({ ...test, message }));
  const [problem = ""] = checkRed([file], onBase({ ...broken, tests: told })).problems;
  expect(problem).toContain("Error: write me");
  expect(problem).toContain("call it in the tests or their set-up");
});

test("a test that is promised but not there, or skipped, is a problem", () => {
  expect(checkRed([file], onBase(report({ [a]: "failed" }))).problems).toEqual([`${path} has no test called test_b`]);
  expect(checkRed([file], onBase(report({ [a]: "skipped", [b]: "failed" }))).problems).toEqual([
    expect.stringContaining("test_a is skipped"),
  ]);
});

test.each([
  ["failed", "failed", "failed", null],
  ["failed", "passed", "failed", null],
  ["failed", "failed", "passed", null],
  ["failed", "passed", "passed", "it passes whatever the code gives back"],
  ["failed", "error", "error", "it passes whatever the code gives back"],
  ["passed", "failed", "failed", "it passes although nothing is implemented"],
  ["passed", "passed", "passed", "it passes although nothing is implemented"],
] as const)(
  "on stubs that raise (%s), give the default (%s) and a sentinel (%s) a test of something new is judged",
  (raising, byDefault, sentinel, why) => {
    const { guards, problems } = checkRed([file], onStubs(raising, byDefault, sentinel));
    expect([guards.get(a)?.why ?? null, guards.get(b) ?? null, problems]).toEqual([why, null, []]);
  },
);

test("a limit that is hit is a problem of the tests", () => {
  expect(checkRed([file], onBase(report({}, { ending: "timeout" }))).problems).toEqual([
    expect.stringContaining("(timeout)"),
  ]);
});

const withMessage = (of: TestReport, message: string): TestReport => ({
  ...of,
  tests: of.tests.map((one) => (one.outcome === "error" ? { ...one, message } : one)),
});

test("code that is called while tests are declared is named, with what to do about it", () => {
  const raising = withMessage(report({ [a]: "failed", [`${path}::group`]: "error" }), "Error: not implemented");
  const { problems } = checkRed([file], {
    base: null,
    stubs: { raising, default: raising, sentinel: raising },
    onStubs: [path],
  });
  expect(problems).toEqual([
    expect.stringMatching(/no test called test_b: group fails .* call it in the tests or their set-up/s),
  ]);
});

test("set-up that calls what is not implemented is red for the right reason; any other fault in it is a problem", () => {
  const raising = (message: string) => withMessage(report({ [a]: "error", [b]: "failed" }), message);
  const other = report({ [a]: "failed", [b]: "failed" });
  const check = (message: string) =>
    checkRed([file], {
      base: null,
      stubs: { raising: raising(message), default: other, sentinel: other },
      onStubs: [path],
    });
  expect(check("NotImplementedError: not implemented")).toMatchObject({ problems: [], guards: new Map() });
  expect(check("fixture 'cart' not found").problems).toEqual([expect.stringContaining("fails in its set-up")]);
});
