import { expect, test } from "vitest";
import { report } from "../../test/report-builder.ts";
import { Spec } from "../domain/spec.ts";
import type { TestFile } from "../domain/test-file.ts";
import { type EvidenceSources, gatherEvidence, missingProof } from "./evidence.ts";

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
const sources = (change: Partial<EvidenceSources> = {}): EvidenceSources => ({
  spec,
  tests,
  guards: ["t.py::test_sub"],
  baseline: null,
  run: { tree: "tree", report: green, accept: [] },
  ...change,
});

test("each requirement is shown with its tests before and after", () => {
  const evidence = gatherEvidence(sources());
  expect(evidence.requirements.map(({ id, support }) => [id, support])).toEqual([
    ["R1", "red-to-green"],
    ["R2", "held"],
  ]);
  expect(missingProof(evidence, "feature")).toBeNull();
});

test("nothing is proven when no test turned from red to green", () => {
  const evidence = gatherEvidence(sources({ guards: ["t.py::test_add", "t.py::test_sub"] }));
  expect(missingProof(evidence, "fix")).toContain("no test was red");
  expect(missingProof(evidence, "refactoring")).toBeNull();
});

test("a requirement whose test did not run keeps the result from being proven", () => {
  const run = { tree: "tree", report: report({ "t.py::test_add": "passed" }), accept: [] };
  const evidence = gatherEvidence(sources({ run }));
  expect(evidence.requirements[1]?.support).toBe("none");
  expect(missingProof(evidence, "feature")).toBe("nothing shows R2");
});
