import { expect, test } from "vitest";
import type { GatheredEvidence } from "../../domain/evidence/gathered-evidence.ts";
import { evidenceLines } from "./evidence-text.ts";

const evidence: GatheredEvidence = {
  tree: "t",
  requirements: [
    {
      id: "R1",
      text: "adds",
      assumption: false,
      support: "red-to-green",
      tests: [
        { id: "a.py::test_new", before: "red", after: "passed" },
        { id: "a.py::test_guard", before: "passed", after: "passed" },
      ],
    },
  ],
  suite: { before: null, after: null },
  accept: [],
};

test("only what was red before is called red before", () => {
  const [, shown = ""] = evidenceLines(evidence);
  expect(shown).toContain("red before, green now: a.py: test_new");
  expect(shown).not.toContain("test_guard");
});
