import { expect, test } from "vitest";
import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { MutantFate, MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { UnitChange } from "../change/unit-changes.ts";
import { accountOfUnit, type Bar } from "./account-of-code.ts";
import type { UnitFacts } from "./unit-facts.ts";

const LINES = [{ from: 2, to: 3 }];

const unit = (change: Partial<UnitChange> = {}): UnitChange => ({
  ...{ path: "a.py", oldPath: "a.py", name: "f", kind: "function", relation: "changed" },
  ...{ after: { from: 1, to: 3 }, before: { from: 1, to: 3 }, lines: LINES, oldLines: LINES },
  ...change,
});

const mutant = (fate: MutantFate, killedBy: string[] = [], line = 2): MutantResult => ({
  mutant: {
    ...{ id: `a.py:${line}:${fate}:${killedBy}`, path: "a.py", line, statement: { from: line, to: line } },
    ...{ operator: "comparison", from: 0, to: 1, replacement: "", description: "`a < b` → `a <= b`" },
  },
  fate,
  killedBy,
  expectedBy: killedBy,
  reason: "",
});

const behaviour = (change: Partial<FunctionBehaviour> = {}): FunctionBehaviour => ({
  ...{ path: "a.py", name: "f", calls: 3, varied: 20, compared: 23, differences: [], noticed: [], problem: null },
  ...change,
});
const difference = (from: "tests" | "varied") => ({ call: "f(1)", before: "1", after: "2", from, tests: ["t"] });

const judged = ({ bar = {}, ...facts }: Partial<UnitFacts> & { bar?: Partial<Bar> } = {}) =>
  accountOfUnit(
    {
      change: unit(),
      uncovered: [],
      mutants: [mutant("killed", ["new"])],
      compared: new Set(),
      oldMutants: null,
      turned: new Set(["new"]),
      behaviour: behaviour({ differences: [difference("tests"), difference("varied")] }),
      ...facts,
    },
    { mutationScore: null, problem: null, ...bar },
  );

test("what compiles to the same is the same, and what only people read is inert", () => {
  expect(judged({ change: unit({ relation: "same" }) }).standing).toBe("same");
  expect(judged({ change: unit({ relation: "inert" }) }).standing).toBe("inert");
});

test("a function is shown by a test that turned, where every small change is noticed and other inputs differ too", () => {
  expect(judged()).toMatchObject({ standing: "shown", path: "a.py", unit: "f", lines: LINES });
});

test.each<[string, Parameters<typeof judged>[0], string]>([
  ["a line that no test runs", { uncovered: [{ from: 3, to: 3 }] }, "no test runs line 3"],
  [
    "a small change that nobody notices",
    { mutants: [mutant("killed", ["new"]), mutant("survived")] },
    "no test notices line 2 `a < b` → `a <= b`",
  ],
  ["a mutant without time", { mutants: [mutant("killed", ["new"]), mutant("not-run")] }, "no time was left for 1 of 2"],
  ["nothing to change in a small way", { mutants: [] }, "nothing in it can be changed in a small way"],
  ["mutants that tell nothing", { bar: { problem: "the code watches its own text" } }, "the code watches its own text"],
  [
    "an answer to its tests alone",
    { behaviour: behaviour({ differences: [difference("tests")] }) },
    "it behaves otherwise only for the inputs of its tests: f(1)",
  ],
  ["a function that nobody could call", { behaviour: null }, "it was not called with other inputs"],
  [
    "a new function that knows only the inputs of its tests",
    { behaviour: behaviour({ outcomes: { recorded: 4, varied: 0, variedRaise: 20 } }) },
    "it gives different results only for the inputs of its tests",
  ],
  [
    "another behaviour for which no test turned",
    {
      turned: new Set(),
      mutants: [mutant("killed", ["old"])],
      behaviour: behaviour({ differences: [difference("varied")] }),
    },
    "no test turned for what it does now: f(1): 1 → 2",
  ],
  [
    "what was there, noticed by nobody",
    { turned: new Set(), mutants: [mutant("killed", ["old"])], behaviour: null, oldMutants: [mutant("survived")] },
    "do not notice line 2",
  ],
  ["code that is gone", { change: unit({ relation: "removed", after: null }) }, "it is gone, and nothing shows"],
])("%s is not judged", (_, facts, why) => {
  const line = judged(facts);
  expect(line.standing).toBe("not-judged");
  expect(line.why).toContain(why);
});

test("without a test that turned a function is the same when both versions agree, or when tests notice changes of both", () => {
  const kept = { turned: new Set<string>(), mutants: [mutant("killed", ["old"])] };
  expect(judged({ ...kept, behaviour: behaviour() })).toMatchObject({
    standing: "same",
    why: "old and new version agree on 23 calls",
  });
  expect(judged({ ...kept, behaviour: null, oldMutants: [mutant("killed", ["old"])] }).standing).toBe("same");
});

test("what the comparison notices need not be noticed by a test, and a person may ask for less", () => {
  const lost = mutant("survived");
  const mutants = [mutant("killed", ["new"]), lost];
  expect(judged({ mutants, compared: new Set([lost.mutant.id]) }).standing).toBe("shown");
  expect(judged({ mutants, bar: { mutationScore: 0.5 } }).standing).toBe("shown");
});

test("code that is gone is missed by nobody when tests noticed every change of it and are green", () => {
  const change = unit({ relation: "removed", after: null });
  expect(judged({ change, oldMutants: [mutant("killed", ["old"])] }).standing).toBe("same");
});
