import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { HeldOutTest } from "../../domain/evidence/held-out.ts";
import type { Sensitivity } from "../../domain/evidence/measured.ts";
import type { MutantReport } from "../../domain/evidence/mutant-report.ts";
import { type GoalKind, Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { EvidenceSources } from "./evidence-sources.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { missingProof } from "./judge-evidence.ts";

const spec = Spec.parse({
  title: "x",
  kind: "feature",
  language: "python",
  requirements: [
    { id: "R1", text: "adds" },
    { id: "R2", text: "still subtracts" },
  ],
});
const tests: TestFile[] = [
  {
    path: "t.py",
    content: "",
    todo: "main",
    covers: [
      { test: "test_add", requirement: "R1" },
      { test: "test_sub", requirement: "R2" },
    ],
  },
];
const green = report({ "t.py::test_add": "passed", "t.py::test_sub": "passed" });
const TURNED = { case: "", before: "failed", after: "passed" } as const;
const KEPT = { case: "", before: "passed", after: "passed" } as const;
const unseen = (requirement: string, change: Partial<HeldOutTest> = {}): HeldOutTest => ({
  file: "u.py",
  test: `test_${requirement}`,
  requirement,
  state: "unspent",
  before: "red",
  outcome: "passed",
  cases: [TURNED],
  reason: "",
  ...change,
});
const sources = (change: Partial<EvidenceSources> = {}): EvidenceSources => ({
  spec,
  tests,
  guards: ["t.py::test_sub"],
  baseline: null,
  run: { tree: "tree", report: green, accept: [] },
  heldOut: [unseen("R1"), unseen("R2")],
  disputes: [],
  tampering: [],
  confirmed: false,
  replaced: [],
  ...change,
});
const kindOf = (kind: GoalKind) => ({ spec: { ...spec, kind } });
const supports = (change: Partial<EvidenceSources> = {}) =>
  gatherEvidence(sources(change)).requirements.map(({ support }) => support);

test("each requirement is shown with its tests before and after, those the coder saw and those it did not", () => {
  const evidence = gatherEvidence(sources());
  expect(evidence.requirements.map(({ id, support }) => [id, support])).toEqual([
    ["R1", "red-to-green"],
    ["R2", "red-to-green"],
  ]);
  expect(evidence.requirements[1]?.tests).toEqual(["t.py::test_sub", "u.py::test_R2"]);
  expect(evidence.tests).toMatchObject([
    { id: "t.py::test_add", origin: "visible", role: "red-to-green", requirements: ["R1"] },
    { id: "t.py::test_sub", origin: "visible", role: "held", onOldCode: "passed", requirements: ["R2"] },
    { id: "u.py::test_R1", origin: "held-out", role: "red-to-green", before: "absent", after: "passed" },
    { id: "u.py::test_R2", origin: "held-out", role: "red-to-green", onOldCode: "failed", requirements: ["R2"] },
  ]);
  expect(missingProof(evidence, "feature")).toBeNull();
});

test.each([
  ["spent", { state: "spent" }],
  ["void", { state: "void" }],
  ["unusable", { state: "unusable", reason: "no source says flag --fast" }],
  ["not borne out by its twin", { outcome: "unjudged", reason: "its twin did not run" }],
  ["red", { outcome: "red" }],
  ["tampered with", { outcome: "tampered" }],
  ["not run", { outcome: null }],
] as const)("an unseen test that is %s supports nothing, however green the visible ones are", (_, change) => {
  const evidence = gatherEvidence(sources({ heldOut: [unseen("R1"), unseen("R2", change)] }));
  expect(evidence.requirements[1]).toMatchObject({ support: "none", doubt: "unseen-unusable" });
  expect(missingProof(evidence, "feature")).toContain("no test that the coder did not see can show R2: test_R2: ");
});

const noticing = (state: Sensitivity["state"]) => ({
  measured: { mutants: null, flakes: null, coverage: null, why: "", sensitivity: [{ id: "R2", state }] },
});
const keeping = { heldOut: [unseen("R1"), unseen("R2", { before: "green", cases: [KEPT] })] };

test("a requirement that held before is kept by an unseen test that was green and notices mutants", () => {
  expect(supports({ ...keeping, ...noticing("noticed") })).toEqual(["red-to-green", "held"]);
  expect(missingProof(gatherEvidence(sources({ ...keeping, ...noticing("noticed") })), "feature")).toBeNull();
  const [, , , kept] = gatherEvidence(sources({ ...keeping, ...noticing("noticed") })).tests;
  expect(kept).toMatchObject({ id: "u.py::test_R2", role: "held", onOldCode: "passed", after: "passed" });
});

test.each(["unnoticed", "no-mutant", "no-time", "absent", "untold"] as const)(
  "a requirement that held before is not shown by tests that are %s: they could not fail",
  (state) => {
    expect(supports({ ...keeping, ...noticing(state) })).toEqual(["red-to-green", "none"]);
  },
);

test("a test that passes whatever the code gives back shows what stays as it was, if it notices mutants", () => {
  const untold = { heldOut: [unseen("R1"), unseen("R2", { before: "untold" })] };
  expect(supports({ ...untold, ...noticing("noticed") })).toEqual(["red-to-green", "held"]);
  expect(supports({ ...untold, ...noticing("no-mutant") })).toEqual(["red-to-green", "none"]);
  expect(gatherEvidence(sources(untold)).requirements[1]).toMatchObject({
    support: "none",
    unmeasured: expect.stringContaining("whatever the code gives back"),
  });
});

test("each case says how it went before, and not what the others did", () => {
  const cases = [{ case: "[1]", before: "passed", after: "passed" } as const, { ...TURNED, case: "[2]" }];
  const evidence = gatherEvidence(
    sources({
      guards: ["t.py::test_add[1]"],
      run: {
        tree: "tree",
        accept: [],
        report: report({ "t.py::test_add[1]": "passed", "t.py::test_add[2]": "passed" }),
      },
      heldOut: [unseen("R1", { cases })],
    }),
  );
  expect(evidence.tests.map(({ id, role, onOldCode }) => [id, role, onOldCode])).toEqual([
    ["t.py::test_add[1]", "held", "passed"],
    ["t.py::test_add[2]", "red-to-green", "failed"],
    ["u.py::test_R1[1]", "held", "passed"],
    ["u.py::test_R1[2]", "red-to-green", "failed"],
  ]);
  expect(evidence.requirements[0]?.tests).toEqual(evidence.tests.map(({ id }) => id));
});

test("visible tests alone carry only what behaviour is no matter of", () => {
  expect(supports({ heldOut: [] })).toEqual(["none", "none"]);
  expect(supports({ heldOut: [], ...kindOf("chore") })).toEqual(["red-to-green", "held"]);
  const green = [unseen("R1", { before: "green" }), unseen("R2", { before: "green" })];
  expect(supports({ ...kindOf("refactoring"), heldOut: green })).toEqual(["held", "held"]);
});

test("a requirement whose visible test did not run keeps the result from being proven", () => {
  const run = { tree: "tree", report: report({ "t.py::test_add": "passed" }), accept: [] };
  const evidence = gatherEvidence(sources({ run }));
  expect(evidence.requirements[1]?.support).toBe("none");
  expect(missingProof(evidence, "feature")).toBe("nothing shows R2");
});

test("the strongest oracle that carried the verdict stands first", () => {
  const run = {
    tree: "tree",
    report: green,
    accept: [{ command: "x", passed: true, ending: "exit code 0", output: "" }],
  };
  expect(gatherEvidence(sources({ run, baseline: green, confirmed: true })).carriedBy).toEqual([
    "accept",
    "own-suite",
    "confirmed-examples",
    "model-tests",
  ]);
  expect(gatherEvidence(sources()).carriedBy).toEqual(["model-tests"]);
});

test("a requirement whose tests notice no mutant is not shown, and a test that flips keeps the result from being proven", () => {
  const mutant = {
    id: "m1",
    path: "calc.py",
    line: 2,
    statement: { from: 2, to: 2 },
    operator: "arithmetic",
    from: 0,
    to: 1,
    replacement: "-",
    description: "`a + b` → `a - b`",
  } as const;
  const mutants: MutantReport = {
    results: [{ mutant, fate: "survived", killedBy: [], expectedBy: [], reason: "" }],
    counts: { killed: 0, timedOut: 0, survived: 1, compared: 0, notRun: 0, skipped: 0 },
    score: null,
    requirements: [
      { id: "R1", killed: ["m0"] },
      { id: "R2", killed: [] },
    ],
    problem: null,
    durationMs: 1,
    testRunMs: 1,
    ratio: 1,
  };
  const coverage = {
    files: [{ available: true as const, path: "calc.py", covered: [], uncovered: [{ from: 3, to: 5 }] }],
    share: 0,
  };
  const sensitivity = [
    { id: "R1", state: "noticed" as const },
    { id: "R2", state: "unnoticed" as const },
  ];
  const evidence = gatherEvidence(sources({ measured: { mutants, flakes: null, coverage, why: "", sensitivity } }));
  expect(evidence.requirements.map(({ support, doubt }) => [support, doubt])).toEqual([
    ["red-to-green", undefined],
    ["none", "unnoticed"],
  ]);
  expect([evidence.mutants, evidence.coverage]).toEqual([mutants, coverage]);
  expect(missingProof(evidence, "feature")).toContain("the tests of R2 notice no small change");
  const scored = {
    ...gatherEvidence(sources()),
    mutants: { ...mutants, score: 0.6 },
  };
  expect([missingProof(scored, "feature"), missingProof(scored, "feature", 0.5)]).toEqual([null, null]);
  expect(missingProof(scored, "feature", 0.8)).toBe("the tests notice 60 % of the mutants (asked for: 80 %)");
  const flakes = {
    quarantined: [],
    flipped: [{ id: "t.py::test_add", outcomes: ["passed", "red"], message: "" }],
    repeated: [],
    repeats: [],
    baseShuffles: null,
    notVaried: [],
  };
  expect(missingProof({ ...gatherEvidence(sources()), flakes }, "feature")).toContain("does not go the same way");
});

test("a requirement whose mutants were not run is not shown; one that has none says so and stays", () => {
  const measured = (state: "no-time" | "untold" | "no-mutant" | "noticed", why: string) => ({
    mutants: null,
    flakes: null,
    coverage: null,
    why,
    sensitivity: [{ id: "R2", state }],
  });
  const judged = (state: "no-time" | "untold" | "no-mutant" | "noticed", why = "") => {
    const evidence = gatherEvidence(sources({ measured: measured(state, why) }));
    const [, { support, unmeasured } = {}] = evidence.requirements;
    return [support, unmeasured, missingProof(evidence, "feature")];
  };
  const untold = "nobody can tell whether the tests of R2 can fail: ";
  const late = "the time was up before a mutant showed whether its tests can fail";
  expect(judged("no-time")).toEqual(["none", late, untold + late]);
  expect(judged("untold", "red with a comment")).toEqual(["none", "red with a comment", `${untold}red with a comment`]);
  expect(judged("no-mutant", "nothing to mutate")).toEqual(["red-to-green", "nothing to mutate", null]);
  expect(judged("noticed")).toEqual(["red-to-green", undefined, null]);
});
