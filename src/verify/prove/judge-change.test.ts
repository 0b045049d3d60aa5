import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { AccountLine, Standing } from "../../domain/evidence/account.ts";
import type { EvidenceTest } from "../../domain/evidence/evidence-document.ts";
import { OF_TESTS } from "../account/account-of-files.ts";
import { type ChangeFacts, judgeChange } from "./judge-change.ts";

const one = (role: EvidenceTest["role"], change: Partial<EvidenceTest> = {}): EvidenceTest => ({
  id: `t.py::${role}`,
  origin: role === "held" ? "own" : "change",
  role,
  before: "absent",
  after: "passed",
  ...change,
});

const place = (standing: Standing, change: Partial<AccountLine> = {}): AccountLine => ({
  path: `${standing}.py`,
  standing,
  why: `it is ${standing}`,
  ...change,
});

const judge = (change: Partial<ChangeFacts> & { tests?: EvidenceTest[] } = {}) => {
  const { tests = [one("held"), one("red-to-green", { onOldCode: "failed" })], ...rest } = change;
  const green = report({ "t.py::held": "passed" });
  return judgeChange({
    problem: null,
    account: [place("shown")],
    compared: { tests, integrity: [], lost: [], questions: [], undone: [] },
    before: green,
    after: green,
    accept: [],
    flakes: null,
    scans: null,
    witness: null,
    ...rest,
  });
};

const status = (change: Parameters<typeof judge>[0]) => judge(change).verdict.status;

test("a change is proven when every place of it is shown, the same or inert", () => {
  const account = [place("shown"), place("same"), place("inert")];
  expect(judge({ account })).toMatchObject({
    kind: "fix",
    verdict: { status: "proven", summary: "proven: 1 test turned from red to green, 1 test held" },
  });
});

test("one place that is not judged keeps the word proven away, and is named with its reason", () => {
  const account = [place("shown"), place("not-judged", { path: "b.py", unit: "wipe", why: "no test runs line 3" })];
  const { verdict } = judge({ account });
  expect(verdict).toMatchObject({ status: "proven-in-part", reasons: ["b.py wipe: no test runs line 3"] });
  expect(verdict.summary).toContain("1 of 2 places is not judged: b.py wipe");
});

test("what a person leaves as it is counts as judged, and the verdict says how much that is", () => {
  const account = [place("shown"), place("not-judged", { left: true })];
  expect(judge({ account }).verdict).toMatchObject({
    status: "proven",
    summary: expect.stringContaining("1 place left"),
  });
});

test("where nothing is shown or the same, not even partly, nothing is proven in part", () => {
  const ofTests = place("inert", { why: OF_TESTS });
  expect(status({ account: [place("not-judged"), ofTests] })).toBe("not-proven");
  expect(status({ account: [place("not-judged"), place("inert", { path: "a.md" })] })).toBe("not-proven");
  const nothing = [place("not-judged", { path: "a.py", unit: "f", why: "no test runs line 3" }), place("inert")];
  expect(judge({ account: nothing, tests: [one("held")] }).verdict).toMatchObject({
    status: "not-proven",
    summary: "not proven: a.py f: no test runs line 3",
  });
  expect(status({ account: [place("not-judged"), place("same")] })).toBe("proven-in-part");
  expect(status({ account: [place("not-judged", { partly: true })] })).toBe("proven-in-part");
});

test("a place that tests turned for, and that they show in part, has a gap; what nothing shows is not judged", () => {
  const gap = place("not-judged", { path: "a.py", unit: "f", partly: true });
  expect(judge({ account: [gap], tests: [one("red-to-green")] }).verdict.summary).toBe(
    "proven in part: 1 test turned from red to green; 1 of 1 place has a gap: a.py f",
  );
  const others = [place("not-judged", { path: "b.yml" }), place("not-judged", { path: "c.yml" })];
  const { summary } = judge({ account: [gap, ...others, place("shown")] }).verdict;
  expect(summary).toContain("; 1 of 4 places has a gap: a.py f; 2 of 4 places are not judged: b.yml, c.yml");
  expect(summary).not.toContain("judged: a.py f");
});

test("a change whose every place is inert is checked, and so is no change at all", () => {
  expect(judge({ account: [place("inert")], tests: [one("held")] })).toMatchObject({
    kind: "documentation",
    verdict: { status: "checked" },
  });
  expect(status({ account: [] })).toBe("checked");
});

test("a change that behaves as before is a refactoring, carried by the tests that held", () => {
  expect(judge({ account: [place("same")], tests: [one("held")] })).toMatchObject({
    kind: "refactoring",
    verdict: { status: "proven", carriedBy: ["own-suite"], summary: "proven: 1 place behaves as before, 1 test held" },
  });
});

test("where only a part of the tests runs, the first line says so before it speaks of places, and a proof keeps its word", () => {
  const problem = { nothingRuns: false, line: "only a part of the tests runs here: no x in 4 of 5 files of tests" };
  expect(judge({ problem, account: [place("not-judged")] }).verdict).toMatchObject({
    status: "not-proven",
    summary: `not proven: ${problem.line} (and 1 more)`,
  });
  expect(judge({ problem, account: [place("shown"), place("not-judged")] }).verdict.summary).toContain(
    `proven in part: ${problem.line}; 1 test`,
  );
  expect(judge({ problem }).verdict).toMatchObject({
    status: "proven",
    summary: `proven: 1 test turned from red to green, 1 test held; ${problem.line}`,
  });
});

test("tampering outweighs everything", () => {
  const integrity = [{ code: "x", weight: "tampering" as const, test: "t.py::a", message: "was deleted" }];
  const { verdict } = judge({
    compared: { tests: [one("red-to-green")], integrity, lost: [], questions: [], undone: [] },
  });
  expect(verdict).toMatchObject({ status: "refused", summary: "refused: t.py::a was deleted", carriedBy: [] });
});

const ran = (passed: boolean) => ({ passed, ending: passed ? "0" : "exit code 1" });

test.each<[string, Parameters<typeof judge>[0], string]>([
  [
    "a suite that does not run here",
    {
      problem: { nothingRuns: true, line: "the tests do not run here: no x" },
      tests: [one("broken")],
      before: report({}, { ending: "crashed" }),
    },
    "do not run here",
  ],
  ["a broken test", { tests: [one("red-to-green"), one("broken")] }, "t.py::broken passed before and is red now"],
  ["a new red test", { tests: [one("red-to-green"), one("red")] }, "t.py::red is new and red"],
  ["a base that does not run", { before: report({}, { ending: "crashed" }) }, "the tests of the base do not come"],
  ["a result that does not run", { after: report({}, { ending: "timeout" }) }, "the tests do not come to their end"],
  ["tests that are gone", { after: report({}) }, "no test runs any more"],
  [
    "a test that passes only where it is tested",
    {
      witness: {
        problem: null,
        tests: [{ id: "t.py::a", outcome: "failed" as const, message: "AssertionError: '' is not 'I'", why: "" }],
      },
    },
    "t.py::a passes where it is tested, and fails where the code is used: AssertionError",
  ],
  ["a failing command", { accept: [{ command: "make", after: ran(false) }] }, "$ make: exit code 1"],
  [
    "a command that passes only with an edited script",
    { accept: [{ command: "make", after: ran(true), asBefore: ran(false), edited: ["Makefile"] }] },
    "$ make passes only with Makefile as the change left it",
  ],
])("%s is not proven, however much is shown", (_, change, reason) => {
  const { verdict } = judge(change);
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons[0]).toContain(reason);
});

test("an accepted command that turned green is named first among what carries the verdict", () => {
  const accept = [{ command: "x", before: ran(false), after: ran(true) }];
  expect(judge({ accept }).verdict.carriedBy).toEqual(["accept", "change-tests"]);
});

test("what the scan blocks in code speaks against a change; in a test it is a question", () => {
  const finding = {
    ...({ rule: "python.eval", kind: "code", severity: "high", blocking: true } as const),
    ...{ line: 7, column: 1, excerpt: "eval(text)", message: "runs a text", instead: "call it" },
  };
  const tests = place("inert", { path: "t.py", why: OF_TESTS });
  const account = [place("shown"), tests];
  expect(judge({ account, scans: [{ ...finding, path: "shown.py" }] }).verdict).toMatchObject({
    status: "not-proven",
    reasons: ["shown.py:7 runs a text"],
  });
  const asked = "t.py:7 runs a text (if that is meant: safety.code.allow)";
  expect(judge({ account, scans: [{ ...finding, path: "t.py" }] }).verdict).toMatchObject({
    status: "proven-in-part",
    reasons: [asked],
  });
  expect(status({ account, scans: [{ ...finding, path: "t.py", kind: "secret" }] })).toBe("not-proven");
  expect(status({ account: [tests], scans: [{ ...finding, path: "t.py" }] })).toBe("not-proven");
  expect(status({ account: [tests] })).toBe("checked");
});
