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

test("in brief what is shown takes one line, and what is not says why", () => {
  const [first] = evidence.requirements;
  if (!first) throw new Error("there is one");
  const long = { ...first, text: "adds ".repeat(40), assumption: true };
  const open = { ...first, id: "R2", support: "none" as const, doubt: "unnoticed" as const };
  const lines = evidenceLines({ ...evidence, requirements: [long, open] }, { brief: true });
  expect(lines[0]).toMatch(/^✓ R1 \(assumption\) adds .*…$/);
  expect(lines[0]?.length).toBeLessThanOrEqual(92);
  expect(evidenceLines({ ...evidence, requirements: [long] }, { brief: true, columns: 150 })[0]).toHaveLength(150);
  expect(lines.slice(1, 3)).toEqual(["✗ R2 adds", "    its tests notice no small change of the changed lines"]);
});

test("sharper tests of which none notices more are not counted", () => {
  const test = { id: "s.py::test_sharp", requirement: "R1", end: "idle" as const, noticed: [], reason: "" };
  expect(evidenceLines({ ...evidence, sharpened: { tests: [test], why: "" } })).toContain(
    "sharper tests: none kept, as none notices more",
  );
});

test("one sharper test notices, several notice", () => {
  const test = { requirement: "R1", end: "kept" as const, noticed: ["a"], reason: "" };
  const told = (...ids: string[]) =>
    evidenceLines({ ...evidence, sharpened: { tests: ids.map((id) => ({ ...test, id })), why: "" } }).join("\n");
  expect(told("s.py::a")).toContain("1 kept, which notices 1 more");
  expect(told("s.py::a", "s.py::b")).toContain("2 kept, which notice 1 more");
});
