import { expect, test } from "vitest";
import { bareEvidence } from "../../../test/bare-evidence.ts";
import type { EvidenceDocument } from "../../domain/evidence/evidence-document.ts";
import { compareProofs } from "./rerun-change.ts";

const SHOWN = { path: "a.py", unit: "f", standing: "shown", why: "1 test" };
const RUN = { passed: true, ending: "exit code 0" };
const TURNED = { id: "t::a", origin: "change", role: "red-to-green", before: "absent", after: "passed" };

const CALL = { call: "f(1)", before: "1", after: "2", from: "varied", tests: [] };
const BEHAVES = {
  ...{ path: "a.py", name: "f", calls: { made: 1, distinct: 1, lost: 0 }, recorded: 1, varied: 2, compared: 3 },
  ...{ unstable: 0, unseen: 0, differing: { tests: 0, varied: 1 }, differences: [CALL], narrow: [] },
  ...{ outcomes: { recorded: 1, varied: 1, variedRaise: 0 }, noticed: [], unnoticed: [], problem: null },
};

const FOUND = {
  ...{ rule: "python.eval", kind: "code", severity: "high", path: "a.py", line: 3, column: 1 },
  ...{ excerpt: "eval(", message: "", instead: "", blocking: false },
};

const evidence = (change: Record<string, unknown> = {}): EvidenceDocument =>
  bareEvidence({
    verdict: { status: "proven", summary: "proven", carriedBy: [], reasons: [] },
    account: [SHOWN],
    tests: [{ ...TURNED, onOldCode: "failed" }],
    accept: [{ command: "make", before: { ...RUN, passed: false }, after: RUN }],
    witness: { tests: [{ id: "t::a", outcome: "passed", message: "", why: "" }], problem: null },
    behaviour: [BEHAVES],
    versions: { miracle: "1" },
    ...change,
  });

const found = (now: Record<string, unknown>, said: Record<string, unknown> = {}) =>
  compareProofs(evidence(said), evidence(now)).differences;

test("a proof that comes out again differs in nothing, nor does one that shows more", () => {
  expect(found({})).toEqual([]);
  expect(found({}, { account: [{ ...SHOWN, standing: "not-judged" }] })).toEqual([]);
  expect(found({ tests: [{ ...TURNED, after: "failed" }] }, { tests: [{ ...TURNED, role: "flaky" }] })).toEqual([]);
});

test.each([
  [
    "a test on the old code",
    { tests: [{ ...TURNED, onOldCode: "passed", role: "guard" }] },
    "t::a on the old code: passed, the evidence says failed",
  ],
  [
    "a role",
    { tests: [{ ...TURNED, onOldCode: "failed", role: "void" }] },
    "t::a: its role is void, the evidence says red-to-green",
  ],
  ["a test that is gone", { tests: [] }, "t::a: it does not run, the evidence says passed"],
  [
    "a test that was left out",
    {
      tests: [
        { ...TURNED, onOldCode: "failed" },
        { ...TURNED, id: "t::b" },
      ],
    },
    "t::b: the evidence does not have it",
  ],
  [
    "a command",
    { accept: [{ command: "make", before: RUN, after: RUN }] },
    "$ make (before): passed, the evidence says failed",
  ],
  [
    "the witness",
    { witness: { tests: [{ id: "t::a", outcome: "failed", message: "", why: "" }], problem: null } },
    "t::a where the code is used: failed, the evidence says passed",
  ],
  [
    "a finding",
    { integrity: [{ code: "test.skipped", weight: "tampering", test: "t::a", message: "is skipped" }] },
    "t::a is skipped: the evidence does not say it",
  ],
  [
    "a standing",
    { account: [{ ...SHOWN, standing: "not-judged", why: "nothing" }] },
    "a.py f: not judged (nothing), the evidence says shown",
  ],
  [
    "a place that was left out",
    { account: [SHOWN, { path: "b.yml", standing: "not-judged", why: "" }] },
    "b.yml: the evidence does not speak of it",
  ],
  [
    "the verdict",
    { verdict: { status: "not-proven", summary: "", carriedBy: [], reasons: [] } },
    "the verdict: not-proven, the evidence says proven",
  ],
  ["a finding of the scan", { scans: [FOUND] }, "a.py:3: the scan finds python.eval, the evidence does not say it"],
  [
    "a difference that the list of behaviour lacks",
    { behaviour: [{ ...BEHAVES, differences: [CALL, { ...CALL, call: "f(2)" }] }] },
    "a.py f: f(2) behaves otherwise, the evidence does not say it",
  ],
])("%s that comes out otherwise is named", (_, now, difference) => {
  expect(found(now)).toEqual([difference]);
});

test("a proof that had no time for its mutants says nothing against places, and does not settle the verdict", () => {
  const counts = { killed: 0, timedOut: 0, survived: 0, compared: 0, notRun: 1, skipped: 0 };
  const cut = { results: [], counts, score: null, durationMs: 1, testRunMs: 1, ratio: 1 };
  const account = [{ ...SHOWN, standing: "not-judged", why: "no time" }];
  const { differences, notRepeated, settled } = compareProofs(evidence(), evidence({ mutants: cut, account }));
  expect(settled).toBe(false);
  expect(differences).toEqual([]);
  expect(notRepeated).toContain("a.py f: not judged (no time), the evidence says shown");
});
