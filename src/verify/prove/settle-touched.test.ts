import { expect, test } from "vitest";
import type { EvidenceTest } from "../../domain/evidence/evidence-document.ts";
import type { ComparedRuns, TouchedTest } from "./compare-tests.ts";
import type { NoticedLoss } from "./notice-loss.ts";
import { settleTouched } from "./settle-touched.ts";

const touched = (test: string, change: Partial<TouchedTest> = {}): TouchedTest => ({
  test,
  touch: "own",
  now: test,
  greenOn: "new",
  files: ["t.py"],
  ...change,
});
const held = (id: string): EvidenceTest => ({ id, origin: "own", role: "held", before: "passed", after: "passed" });
const settle = (runs: Partial<ComparedRuns>, measured: Partial<NoticedLoss>) => {
  const { tests, integrity, questions } = settleTouched(
    { tests: (runs.touched ?? []).map(({ test: id }) => held(id)), integrity: [], questions: [], touched: [], ...runs },
    { lost: [], noticed: new Map(), numb: new Set(), untold: new Map(), ...measured },
  );
  return {
    roles: tests.map(({ role }) => role),
    found: integrity.map(({ weight, code }) => `${weight} ${code}`),
    asked: questions.map(({ test: id, why, flag }) => `${id} ${why} ${flag}`),
  };
};

test("a test that says less is refused, counts for nothing, and is not asked about as well", () => {
  const question = { test: "t.py::b", why: "is red", flag: "" };
  const settled = settle(
    { touched: [touched("t.py::a"), touched("t.py::b")], questions: [question] },
    {
      lost: ["t.py::a", "t.py::b"].map((id) => ({ test: id, mutants: ["m.py:1 `1` → `2`"], alike: false })),
      untold: new Map([["t.py::a", "the time was up"]]),
    },
  );
  const found = ["tampering test.says-less", "tampering test.says-less"];
  expect(settled).toEqual({ roles: ["void", "void"], found, asked: [] });
});

test("a test that does what it did and is run otherwise is a question, unless it is gone", () => {
  const mutants = ["m.py:1 `1` → `2`"];
  const settled = settle(
    { touched: [touched("t.py::a", { touch: "around" }), touched("t.py::b", { touch: "around", now: null })] },
    { lost: ["t.py::a", "t.py::b"].map((id) => ({ test: id, mutants, alike: false })) },
  );
  expect(settled.found).toEqual(["tampering test.says-less"]);
  expect(settled.asked).toEqual([
    "t.py::a is run otherwise now, and no longer notices m.py:1 `1` → `2` --superseded 't.py::a'",
  ]);
});

test("a test that was measured is no question, and one that is gone is a remark", () => {
  const noticed = new Map([
    ["t.py::a", 3],
    ["t.py::b", 1],
  ]);
  const settled = settle({ touched: [touched("t.py::a"), touched("t.py::b", { now: null })] }, { noticed });
  expect(settled).toEqual({ roles: ["held", "held"], found: ["named test.replaced"], asked: [] });
});

test("what could not be measured, what noticed nothing, and what notices nothing any more is asked", () => {
  const { asked, found } = settle(
    { touched: [touched("t.py::a"), touched("t.py::b"), touched("t.py::c")] },
    {
      untold: new Map([["t.py::a", "the time was up"]]),
      noticed: new Map([["t.py::c", 4]]),
      numb: new Set(["t.py::c"]),
    },
  );
  expect(asked).toEqual([
    expect.stringMatching(/^t\.py::a was edited: .*\(the time was up\) --superseded 't\.py::a'$/),
    expect.stringMatching(/^t\.py::b was edited: .*it noticed no small change/),
    expect.stringMatching(/^t\.py::c was edited, and notices none of the 4 small changes/),
  ]);
  expect(found).toEqual([]);
});

test("tests that only lean on something stand for each other", () => {
  const shared = { touch: "shared" as const };
  const both = [touched("t.py::a", shared), touched("t.py::b", shared)];
  expect(settle({ touched: both }, { noticed: new Map([["t.py::a", 1]]) }).asked).toEqual([]);
  expect(settle({ touched: both }, {}).asked).toHaveLength(2);
});

test("a test that only takes for the same what is nearly the same is a question, and counts", () => {
  const mutants = ["m.py:1 `return a` → `return nearly the same`"];
  const settled = settle({ touched: [touched("t.py::a")] }, { lost: [{ test: "t.py::a", mutants, alike: true }] });
  expect(settled).toEqual({
    roles: ["held"],
    found: [],
    asked: [
      "t.py::a lets more pass: it no longer notices m.py:1 `return a` → `return nearly the same` --superseded 't.py::a'",
    ],
  });
});
