import { expect, test } from "vitest";
import type { HeldOutTest } from "../../domain/evidence/held-out.ts";
import { Plan } from "../../domain/plan/plan.ts";
import { forAnotherChange, inNewHomes, pathsTakenBack } from "./moved-tests.ts";
import type { WrittenTests } from "./written-tests.ts";

const file = (path: string, todo: string, requirement: string) => ({
  path,
  content: "",
  todo,
  covers: [{ test: "t", requirement }],
});
const heldOut = (path: string, change: Partial<HeldOutTest> = {}): HeldOutTest => ({
  file: path,
  test: "t",
  requirement: "R1",
  state: "unspent",
  before: "red",
  outcome: null,
  cases: [],
  reason: "",
  ...change,
});
const written = (files: ReturnType<typeof file>[], tests: HeldOutTest[] = []): WrittenTests => ({
  files,
  guards: [],
  ids: [],
  heldOutFiles: files.filter(({ path }) => path.includes("unseen")),
  heldOut: tests,
});

test("a test moves to the todo that fulfils its requirement now, and stays where that todo is still there", () => {
  const plan = Plan.parse({
    todos: [
      { id: "parse", title: "parse", requirements: ["R1"] },
      { id: "render", title: "render", requirements: ["R2"] },
    ],
  });
  const tests = written([file("a", "parse", "R1"), file("b", "gone", "R2"), file("c-unseen", "gone", "R2")]);
  const moved = inNewHomes(tests, plan, new Set());
  expect(moved.files.map(({ todo }) => todo)).toEqual(["parse", "render", "render"]);
  expect(moved.heldOutFiles.map(({ todo }) => todo)).toEqual(["render"]);
});

test("a held-out test that told the coder something is spent for the next change, and the others are run again", () => {
  const tests = written([], [heldOut("a"), heldOut("b")]);
  const ran = [heldOut("a", { state: "spent", outcome: "passed" }), heldOut("b", { outcome: "passed" })];
  const [spent, fresh] = forAnotherChange(tests, ran).heldOut;
  expect(spent?.state).toBe("spent");
  expect(fresh).toMatchObject({ state: "unspent", outcome: null });
});

test("what was a test once and is none any more is taken back, also from an earlier change of the plan", () => {
  const before = written([file("a", "x", "R1"), file("b", "x", "R1")]);
  expect(pathsTakenBack(["old", "c"], before, written([file("b", "x", "R1"), file("c", "x", "R2")]))).toEqual([
    "old",
    "a",
  ]);
});
