import { expect, test } from "vitest";
import { bareEvidence } from "../../../test/bare-evidence.ts";
import { leaveFlags, proofLines } from "./proof-text.ts";
import { redTestLines } from "./red-test-lines.ts";

test("the flags that accept what is not judged name the one place, or every file", () => {
  expect(leaveFlags([{ path: "a.py", unit: "f" }])).toBe("--leave 'a.py f'");
  const open = [
    { path: "a.py", unit: "f" },
    { path: "a.py", unit: "g" },
    { path: "b c.py", unit: "h" },
  ];
  expect(leaveFlags(open)).toBe("--leave a.py --leave 'b c.py'");
});

const run = { passed: 1, red: 1, skipped: 0, ending: "completed", durationMs: 1 };
const compared = {
  path: "f.py",
  name: "f",
  calls: { made: 5, distinct: 5, lost: 0 },
  recorded: 5,
  varied: 0,
  compared: 5,
  unstable: 0,
  unseen: 0,
  differing: { tests: 5, varied: 0 },
  narrow: [],
  outcomes: { recorded: 5, varied: 0, variedRaise: 0 },
  noticed: [],
  unnoticed: [],
  problem: null,
};
const call = (n: number) => ({ call: `f(${n})`, before: `${n}`, after: "raises ValueError", from: "tests", tests: [] });

test("a red test is told with its assertion, calls that differ are few, and checks with one reason stand together", () => {
  const evidence = bareEvidence({
    verdict: { status: "not-proven", summary: "not proven: t.py::a is red", carriedBy: [], reasons: ["one"] },
    change: { since: "abc", lastCommit: 'abc1234 "Adds slugs"', files: [] },
    tests: [
      { id: "t.py::a", origin: "own", role: "broken", before: "passed", after: "failed", message: "E   assert 2 == 3" },
    ],
    suite: { command: "pytest", before: null, after: run },
    mutants: {
      ...{ results: [], score: null, durationMs: 1, testRunMs: 1, ratio: 1 },
      counts: { killed: 6, timedOut: 0, compared: 9, survived: 0, notRun: 0, skipped: 0 },
    },
    stages: [
      { stage: "suites", ms: 3000 },
      { stage: "repeats", ms: 1700 },
    ],
    behaviour: [{ ...compared, differences: [1, 2, 3, 4, 5].map(call) }],
    notChecked: [
      { check: "requirements", why: "there is no spec" },
      { check: "flakes", why: "tests are red" },
      { check: "disputes", why: "there is no spec" },
    ],
  });
  const { verdict, detail } = proofLines(evidence, null);
  expect(verdict).toEqual({ text: "not proven: t.py::a is red", tone: "bad" });
  const texts = detail.map(({ text }) => text);
  expect(texts[0]).toBe('  nothing is uncommitted: judging the last commit, abc1234 "Adds slugs"');
  expect(texts).toContain("  4.7 s of work, some at once: suites 3.0 s, repeats 1.7 s");
  expect(texts).toContain("    ✗ t.py::a");
  expect(texts).toContain("        assert 2 == 3");
  expect(texts.filter((text) => text.includes("raises"))).toHaveLength(3);
  expect(texts).toContain("    and 2 more calls");
  expect(texts).toContain("  mutants: 6 of 15 noticed by tests, 9 by comparing with the old code");
  expect(texts).toContain("  not checked: requirements, disputes (there is no spec); flakes (tests are red)");
});

test("the values of a failed assertion in JavaScript are shown", () => {
  const message =
    "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n500 !== 499\n\n    at x (a.js:1)";
  expect(redTestLines([{ id: "a.test.js::a", message }]).map(({ text }) => text)).toEqual([
    "  ✗ a.test.js::a",
    "      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
    "      500 !== 499",
  ]);
});

test("what is not proven for want of a proof names the flag that accepts it; what something speaks against does not", () => {
  const told = (reasons: string[]) => {
    const evidence = bareEvidence({
      verdict: { status: "not-proven", summary: `not proven: ${reasons[0]}`, carriedBy: [], reasons },
      account: [{ path: "slug.js", unit: "cut", standing: "not-judged", why: "no test runs lines 8–9" }],
    });
    return proofLines(evidence, null).detail.map(({ text }) => text);
  };
  expect(told(["slug.js cut: no test runs lines 8–9"])).toContain(
    "  accept without a proof what is open: --leave 'slug.js cut'",
  );
  expect(told(["t.test.js::a passed before and is red now"]).join("\n")).not.toContain("--leave");
});
