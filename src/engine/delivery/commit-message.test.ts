import { expect, test } from "vitest";
import { gathered } from "../../../test/evidence-builder.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import { commitMessage } from "./commit-message.ts";

const spec: Spec = {
  title: "Print small and negative amounts right",
  kind: "fix",
  language: "python",
  requirements: [
    { id: "R1", text: "as_money pads the cents to two digits", assumption: false },
    {
      id: "R2",
      text: "negative amounts have a leading minus sign and the digits of the amount without it",
      assumption: false,
    },
  ],
  outOfScope: [],
  accept: [],
};
const about = { task: "t1", goal: "mend as_money\nplease", result: "abc" };
const run = (passed: number) => ({ passed, red: 0, skipped: 0, durationMs: 1, ending: "completed" as const });

test("a commit says what it does, requirement by requirement, and what shows it", () => {
  const requirement = { text: "", support: "red-to-green" as const, tests: [], assumption: false };
  const evidence = gathered({
    requirements: [
      { ...requirement, id: "R1" },
      { ...requirement, id: "R2" },
    ],
    suite: { command: "pytest", before: run(4), after: run(7) },
  });
  expect(commitMessage({ ...about, spec, evidence })).toBe(`Print small and negative amounts right

- R1: as_money pads the cents to two digits
- R2: negative amounts have a leading minus sign and the digits of the
  amount without it

Evidence: 2 of 2 requirements shown; 7 tests pass, 4 before.

Miracle-Task: t1
Miracle-Snapshot: abc
`);
});

test("without a plan the goal's first line is its subject, cut behind a word", () => {
  expect(commitMessage(about)).toBe("mend as_money\n\nMiracle-Task: t1\nMiracle-Snapshot: abc\n");
  const long = `${"words ".repeat(20)}end`;
  const [subject = ""] = commitMessage({ ...about, goal: long }).split("\n");
  expect(subject.length).toBeLessThanOrEqual(72);
  expect(subject).toMatch(/words…$/);
  expect(commitMessage({ ...about, goal: " " })).toMatch(/^Change\n/);
});
