import { expect, test } from "vitest";
import { report } from "../../../test/report-builder.ts";
import type { EvidenceTest } from "../../domain/evidence/evidence-document.ts";
import type { MutantFate, MutantReport } from "../../domain/evidence/mutant-report.ts";
import { MutantReport as MutantReportSchema } from "../../domain/evidence/mutant-report.ts";
import { type ChangeFacts, judgeChange, TURNED } from "./judge-change.ts";

const one = (role: EvidenceTest["role"], change: Partial<EvidenceTest> = {}): EvidenceTest => ({
  id: `t.py::${role}`,
  origin: role === "held" ? "own" : "change",
  role,
  before: "absent",
  after: "passed",
  ...change,
});

const covered = {
  files: [{ available: true as const, path: "a.py", covered: [{ from: 1, to: 2 }], uncovered: [] }],
  share: 1,
};

const judge = (change: Partial<ChangeFacts> & { tests?: EvidenceTest[] } = {}) => {
  const { tests = [one("held"), one("red-to-green", { onOldCode: "failed" })], ...rest } = change;
  const green = report({ "t.py::held": "passed" });
  return judgeChange({
    parts: ["source"],
    deletedSources: [],
    isSameMeaning: false,
    base: { report: null, units: [] },
    compared: { tests, integrity: [], lost: [], questions: [], undone: [] },
    before: green,
    after: green,
    accept: [],
    coverage: covered,
    mutants: null,
    flakes: null,
    scans: null,
    mutationScore: null,
    ...rest,
  });
};

function mutants(fates: MutantFate[], turned?: string[]): MutantReport {
  const mutant = {
    path: "a.py",
    line: 1,
    operator: "return",
    from: 0,
    to: 1,
    replacement: "",
    description: "`a` → `b`",
  };
  const count = (fate: MutantFate) => fates.filter((own) => own === fate).length;
  const ran = count("killed") + count("survived");
  return MutantReportSchema.parse({
    results: fates.map((fate, index) => ({
      mutant: { ...mutant, id: `${index}`, statement: { from: 1, to: 1 } },
      fate,
    })),
    counts: { killed: count("killed"), timedOut: 0, survived: count("survived"), notRun: 0, skipped: 0 },
    score: ran < 10 ? null : count("killed") / ran,
    requirements: turned ? [{ id: TURNED, killed: turned }] : [],
    durationMs: 1,
    testRunMs: 1,
    ratio: 1,
  });
}

const status = (change: Parameters<typeof judge>[0]) => judge(change).verdict.status;

test("a test that turned green proves a covered change, and a person's command more so", () => {
  expect(judge()).toMatchObject({ kind: "fix", verdict: { status: "proven", carriedBy: ["change-tests"] } });
  const accept = [{ command: "x", before: { passed: false, ending: "1" }, after: { passed: true, ending: "0" } }];
  expect(judge({ accept, coverage: null, tests: [] })).toMatchObject({
    verdict: { status: "proven", carriedBy: ["accept"] },
  });
});

test("tampering outweighs everything", () => {
  const integrity = [{ code: "x", weight: "tampering" as const, test: "t.py::a", message: "was deleted" }];
  const { verdict } = judge({
    compared: { tests: [one("red-to-green")], integrity, lost: [], questions: [], undone: [] },
  });
  expect(verdict).toMatchObject({ status: "refused", summary: "refused: t.py::a was deleted", carriedBy: [] });
});

test.each<[string, Parameters<typeof judge>[0], string]>([
  ["a broken test", { tests: [one("red-to-green"), one("broken")] }, "t.py::broken passed before and is red now"],
  ["a new red test", { tests: [one("red-to-green"), one("red")] }, "t.py::red is new and red"],
  ["a base that does not run", { before: report({}, { ending: "crashed" }) }, "the tests of the base do not come"],
  [
    "a result that does not run",
    { after: report({}, { ending: "timeout" }) },
    "the tests do not come to their end (timeout)",
  ],
  ["deleted code", { deletedSources: ["b.py"] }, "b.py was deleted"],
  [
    "uncovered lines",
    {
      coverage: {
        files: [{ available: true, path: "a.py", covered: [], uncovered: [{ from: 12, to: 14 }] }],
        share: 0,
      },
    },
    "lines 12–14 of a.py are run by no test",
  ],
  [
    "a low score where one was asked for",
    { mutants: mutants([...Array(5).fill("killed"), ...Array(5).fill("survived")]), mutationScore: 0.8 },
    "notice 50 %",
  ],
  [
    "a command that fails",
    { accept: [{ command: "x", after: { passed: false, ending: "exit code 1" } }] },
    "$ x: exit code 1",
  ],
  [
    "an expectation that changed",
    {
      compared: {
        tests: [one("red-to-green")],
        integrity: [],
        lost: [],
        questions: [{ test: "t.py::a", why: "expects something else", flag: "--superseded 't.py::a'" }],
        undone: [],
      },
    },
    "--superseded",
  ],
  [
    "a flip",
    {
      flakes: {
        quarantined: [],
        flipped: [{ id: "t.py::f", outcomes: [], message: "" }],
        repeated: [],
        repeats: [],
        baseShuffles: null,
        notVaried: [],
      },
    },
    "t.py::f changes its outcome",
  ],
])("%s keeps a fix from being proven", (_, change, reason) => {
  const { verdict } = judge(change);
  expect(verdict.status).toBe("not-proven");
  expect(verdict.reasons.join("\n")).toContain(reason);
});

test.each(["error", "failed"] as const)("a test that turned green from %s must notice a mutant", (onOldCode) => {
  const tests = [one("red-to-green", { onOldCode })];
  expect(status({ tests, mutants: mutants(["survived"], []) })).toBe("not-proven");
  expect(status({ tests, mutants: mutants(["killed"], ["0"]) })).toBe("proven");
  expect(status({ tests, mutants: mutants([], []) })).toBe("proven");
});

test("a refactoring needs every line run and its mutants noticed", () => {
  const tests = [one("held")];
  expect(status({ tests, mutants: mutants(["killed", "killed", "killed", "killed", "survived"]) })).toBe("proven");
  expect(status({ tests, mutants: mutants(["killed", "survived"]) })).toBe("not-proven");
  expect(status({ tests, mutants: mutants(["killed", "survived"]), mutationScore: 0.5 })).toBe("proven");
  expect(status({ tests, mutants: null })).toBe("not-proven");
  expect(status({ tests, coverage: null, mutants: mutants(["killed"]) })).toBe("not-proven");
  expect(status({ tests, mutants: { ...mutants(["killed"]), problem: "the tests are red without a mutant" } })).toBe(
    "not-proven",
  );
});

test("what no test could show is checked", () => {
  const nothing = { tests: [one("held")], coverage: null };
  expect(judge({ ...nothing, parts: ["documentation"] })).toMatchObject({
    kind: "documentation",
    verdict: { status: "checked" },
  });
  expect(judge({ ...nothing, parts: ["test", "documentation"] })).toMatchObject({
    kind: "chore",
    verdict: { status: "checked" },
  });
  expect(
    judge({ tests: [], coverage: { files: [], share: null }, parts: ["source"], isSameMeaning: true }),
  ).toMatchObject({
    kind: "chore",
  });
  expect(status({ ...nothing, tests: [one("broken")], parts: ["documentation"] })).toBe("not-proven");
});
