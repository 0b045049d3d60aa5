import { expect, test } from "vitest";
import { PlanFile } from "../../domain/plan/plan-file.ts";
import { planText } from "./plan-text.ts";

const plan = (...ids: string[]) =>
  PlanFile.parse({
    size: "small",
    spec: {
      title: "Add two numbers",
      kind: "feature",
      language: "python",
      requirements: [{ id: "R1", text: "add(a, b) is their sum", assumption: false }],
      outOfScope: [],
      accept: [],
    },
    plan: { todos: ids.map((id) => ({ id, title: `write ${id}`, requirements: ["R1"] })) },
    relevantFiles: [],
  });

test("the plan that `miracle plan` ends with does not repeat what was just seen, but for the order of its todos", () => {
  const text = (ids: string[], isSeen: boolean) =>
    planText(plan(...ids), { isSeen })
      .map((one) => one.text)
      .join("\n");
  expect(text(["add"], false)).toMatch(/^Add two numbers .*R1 add\(a, b\) is their sum.*write add/s);
  expect(text(["add"], true)).toBe("");
  expect(text(["add", "sub"], true)).toMatch(/write add.*write sub/s);
  expect(text(["add", "sub"], true)).not.toContain("R1 add(a, b)");
});

test("a plan lists the tests that become obsolete, and in whose words", () => {
  const { spec, ...rest } = plan("add");
  const superseded = [{ test: "t.py::test_old", requirement: "R1", quote: "floats, too" }];
  const text = planText({ ...rest, spec: { ...spec, superseded, outOfScope: ["rounding"] } }, { isSeen: false });
  expect(text.map((one) => one.text)).toEqual(
    expect.arrayContaining([
      "  out of scope: rounding",
      "  these tests of yours become obsolete:",
      "    t.py::test_old (R1: “floats, too”)",
    ]),
  );
});
