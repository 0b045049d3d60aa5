import { expect, test } from "vitest";
import { gathered } from "../../../test/evidence-builder.ts";
import { evidenceLines } from "./evidence-text.ts";

const shows = { origin: "visible", before: "absent", after: "passed" } as const;
const evidence = gathered({
  requirements: [
    {
      id: "R1",
      text: "adds",
      assumption: false,
      support: "red-to-green",
      tests: ["a.py::test_new", "a.py::test_guard"],
    },
  ],
  tests: [
    { ...shows, id: "a.py::test_new", role: "red-to-green", onOldCode: "failed" },
    { ...shows, id: "a.py::test_guard", role: "held", onOldCode: "passed" },
  ],
});

test("only what was red before is called red before", () => {
  const [, shown = ""] = evidenceLines(evidence);
  expect(shown).toContain("red before, green now: a.py: test_new");
  expect(shown).not.toContain("test_guard");
});
