import { expect, test } from "vitest";
import type { FunctionBehaviour } from "../../domain/evidence/behaviour-report.ts";
import type { MutantFate, MutantResult } from "../../domain/evidence/mutant-report.ts";
import type { UnitChange } from "../change/compare-units.ts";
import { accountOfUnit, type Bar } from "./account-of-code.ts";
import type { UnitFacts } from "./unit-facts.ts";

const LINES = [{ from: 2, to: 3 }];

const unit = (change: Partial<UnitChange> = {}): UnitChange => ({
  ...{ path: "a.py", oldPath: "a.py", name: "f", kind: "function", relation: "changed" },
  ...{
    after: { from: 1, to: 3 },
    before: { from: 1, to: 3 },
    lines: LINES,
    oldLines: LINES,
    span: null,
    uses: [],
    oldUses: [],
    binds: [],
    acts: false,
  },
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
  ...{
    path: "a.py",
    name: "f",
    kind: "function",
    calls: { made: 3, distinct: 3, lost: 0 },
    recorded: 3,
    varied: 20,
    compared: 23,
  },
  ...{ unstable: 0, unseen: 0, differing: { tests: 0, varied: 0 }, differences: [], narrow: [] },
  ...{ outcomes: { recorded: 3, varied: 9, variedRaise: 0 }, noticed: [], unnoticed: [], problem: null },
  ...change,
});
const difference = (from: "tests" | "varied", after = "2") => ({
  call: "f(1)",
  before: "1",
  after,
  from,
  tests: ["t"],
});
/** It behaves otherwise: with the inputs of its tests alone, or with others as well. */
const differing = (...found: ReturnType<typeof difference>[]) => {
  const of = (from: "tests" | "varied") => found.filter((one) => one.from === from).length;
  return behaviour({ differences: found, differing: { tests: of("tests"), varied: of("varied") } });
};

const judged = ({ bar = {}, ...facts }: Partial<UnitFacts> & { bar?: Partial<Bar> } = {}) =>
  accountOfUnit(
    {
      change: unit(),
      uncovered: [],
      mutants: [mutant("killed", ["new"])],
      around: [],
      missed: true,
      turned: new Set(["new"]),
      behaviour: differing(difference("tests"), difference("varied")),
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
    { behaviour: differing(difference("tests")) },
    "it behaves otherwise only for the inputs of its tests: f(1)",
  ],
  ["a function that nobody could call", { behaviour: null }, "it was not called with other inputs"],
  [
    "one value of an argument singled out",
    { behaviour: { ...differing(difference("tests"), difference("varied")), narrow: ["n"] } },
    "it behaves otherwise only for one value of n: f(1)",
  ],
  [
    "a new function that knows only the inputs of its tests",
    {
      change: unit({ relation: "added", before: null }),
      behaviour: behaviour({ outcomes: { recorded: 4, varied: 20, variedRaise: 20 } }),
    },
    "it raises for every other input than those of its tests",
  ],
  [
    "a new function that gives the same for whatever it is given",
    {
      change: unit({ relation: "added", before: null }),
      behaviour: behaviour({ outcomes: { recorded: 1, varied: 1, variedRaise: 0 } }),
    },
    "it gives one and the same for every other input",
  ],
  [
    "another behaviour for which no test turned",
    {
      turned: new Set(),
      mutants: [mutant("killed", ["old"])],
      behaviour: differing(difference("varied")),
    },
    "no test turned for what it does now: f(1): 1 → 2",
  ],
  [
    "a function that could not be called, and for which no test turned",
    { turned: new Set(), mutants: [mutant("killed", ["old"])], behaviour: behaviour({ problem: "no test calls it" }) },
    "nothing shows that it does what it did before: no test calls it",
  ],
  [
    "a new helper that only tests notice, and no call of both versions",
    {
      change: unit({ relation: "added", before: null }),
      ...{ turned: new Set(), mutants: [mutant("killed", ["old"])], around: [behaviour()] },
    },
    "no call of both versions notices it",
  ],
  [
    "a statement that no call of the file's functions needs",
    {
      change: unit({ kind: "statement" }),
      ...{ turned: new Set(), mutants: [mutant("killed", ["old"])], around: [behaviour()], behaviour: null },
    },
    "no call of both versions notices it",
  ],
  [
    "a class of which no call needs what it inherits",
    {
      change: unit({ kind: "class" }),
      ...{ turned: new Set(), mutants: [mutant("compared"), mutant("killed", ["old"])], around: [behaviour()] },
    },
    "no call of both versions notices it",
  ],
  [
    "what asks how Python was started",
    { change: unit({ debug: true }) },
    "nothing shows what it does when Python is started with -O",
  ],
  [
    "a statement whose file behaves otherwise",
    {
      change: unit({ kind: "statement" }),
      ...{ turned: new Set(), mutants: [mutant("killed", ["old"])], around: [differing(difference("varied"))] },
    },
    "no test turned for what it does now",
  ],
  [
    "another value for which no test turned",
    {
      change: unit({ kind: "statement" }),
      ...{ turned: new Set(), mutants: [mutant("killed", ["old"])], around: [behaviour()] },
      behaviour: { ...differing({ ...difference("tests", "60"), call: "TIMEOUT", before: "30" }), kind: "value" },
    },
    "no test turned for what it does now: TIMEOUT: 30 → 60",
  ],
  [
    "a call that gives the same value here, where nobody notices its parts",
    {
      change: unit({ kind: "statement", acts: true }),
      ...{ turned: new Set(), mutants: [mutant("survived")], behaviour: behaviour({ kind: "value", compared: 1 }) },
    },
    "no test notices line 2",
  ],
  ["code that is gone", { change: unit({ relation: "removed", after: null }) }, "it is gone, and nothing shows"],
])("%s is not judged", (_, facts, why) => {
  const line = judged(facts);
  expect(line.standing).toBe("not-judged");
  expect(line.why).toContain(why);
});

test.each(["f([])", "f('a', None)", "f(0)", "f(x, {})"])(
  "%s is an edge, and needs no other input beside it",
  (call) => {
    expect(judged({ behaviour: differing({ ...difference("tests"), call }) }).standing).toBe("shown");
  },
);

test("a value that the old code compared with is an edge, and another one is not", () => {
  const only = { behaviour: differing(difference("tests")) };
  expect(judged({ ...only, bounds: ["1"] }).standing).toBe("shown");
  expect(judged({ ...only, bounds: ["2"] }).standing).toBe("not-judged");
});

test("where the changed lines have no small change of their own, the code around them is only asked whether anybody looks", () => {
  const kept = { turned: new Set<string>(), behaviour: behaviour(), around: [] };
  const around = [mutant("compared", [], 1), mutant("survived", [], 4)];
  expect(judged({ ...kept, mutants: around }).standing).toBe("same");
  expect(judged({ ...kept, mutants: around.slice(1) }).standing).toBe("not-judged");
  expect(judged({ ...kept, mutants: [...around, mutant("survived")] }).standing).toBe("not-judged");
});

test("an edge beside a value that was singled out is an answer to one test", () => {
  const only = (...narrow: string[]) =>
    judged({ behaviour: { ...differing({ ...difference("tests"), call: "f(7, 0)" }), narrow } }).standing;
  expect(only("argument 2")).toBe("shown");
  expect(only("argument 1", "argument 2")).toBe("not-judged");
  const found = differing({ ...difference("tests"), call: "Bag({'a': (1, 2)}).add(0, 'b, []')" });
  const method = (narrow: string) => judged({ behaviour: { ...found, name: "Bag.add", narrow: [narrow] } }).standing;
  expect([method("argument 2"), method("argument 3")]).toEqual(["shown", "not-judged"]);
});

test("an option that is told by one value is shown, where what it gives differs with the other arguments", () => {
  const found = { ...differing(difference("tests"), difference("varied", "3")), narrow: ["mode"] };
  expect(judged({ behaviour: found }).standing).toBe("shown");
});

test("without a test that turned, what both versions agree on is the same", () => {
  const known = { turned: new Set<string>(), mutants: [mutant("killed", ["old"]), mutant("compared")] };
  const same = { standing: "same", why: "old and new version agree on 23 calls" };
  expect(judged({ ...known, behaviour: behaviour() })).toMatchObject(same);
  const helper = unit({ relation: "added", before: null });
  expect(judged({ ...known, change: helper, behaviour: null, around: [behaviour()] })).toMatchObject(same);
  expect(judged({ ...known, change: unit({ kind: "statement" }), around: [behaviour()] })).toMatchObject(same);
});

test("what the comparison notices need not be noticed by a test, and a person may ask for less", () => {
  const killed = mutant("killed", ["new"]);
  expect(judged({ mutants: [killed, mutant("compared")] }).standing).toBe("shown");
  expect(judged({ mutants: [killed, mutant("survived")], bar: { mutationScore: 0.5 } }).standing).toBe("shown");
});

test("code that is gone and that nothing speaks of any more is missed by nobody", () => {
  const change = unit({ relation: "removed", after: null });
  expect(judged({ change, missed: false }).standing).toBe("same");
});

test("where tests say what was asked for, one small change that they notice is enough", () => {
  const bar = { asked: true };
  const mutants = [mutant("killed", ["new"]), mutant("survived", [], 3)];
  expect(judged({ bar, mutants })).toMatchObject({ standing: "shown" });
  expect(judged({ mutants })).toMatchObject({ standing: "not-judged" });
});

test("there, too, lines that no test runs are said, and a part that none of them notices is not shown", () => {
  const bar = { asked: true };
  const why = "tests of the requirements notice small changes of it; none of them runs 3";
  expect(judged({ bar, uncovered: [{ from: 3, to: 3 }] })).toMatchObject({ standing: "shown", why });
  expect(judged({ bar, mutants: [mutant("survived")] })).toMatchObject({ standing: "not-judged" });
  const old = [mutant("killed", ["old"])];
  expect(judged({ bar, mutants: old, behaviour: differing(difference("varied")) })).toMatchObject({
    standing: "not-judged",
  });
  expect(judged({ bar: { asked: true, problem: "the code watches its own text" } })).toMatchObject({
    standing: "not-judged",
  });
});

test("a statement that leaves the same value is the same, noticed or not, where nothing else runs for it", () => {
  const value = behaviour({ kind: "value", compared: 1 });
  const facts = { turned: new Set<string>(), behaviour: value, mutants: [mutant("survived")] };
  const same = { standing: "same", why: "its name stands for the same value as before" };
  expect(judged({ ...facts, change: unit({ kind: "statement" }) })).toMatchObject(same);
  const called = unit({ kind: "statement", acts: true });
  expect(judged({ ...facts, change: called, mutants: [mutant("killed", ["old"])] })).toMatchObject(same);
  const unknown = behaviour({ kind: "value", compared: 0, problem: "its value holds code" });
  expect(judged({ ...facts, change: unit({ kind: "statement" }), behaviour: unknown }).standing).toBe("not-judged");
});

test("an import from the standard library whose name nothing says is inert, and another one is not", () => {
  const unused = unit({ kind: "import", relation: "added", standard: true });
  const facts = { turned: new Set<string>(), mutants: [mutant("survived")], behaviour: null };
  expect(judged({ ...facts, change: unused }).standing).toBe("inert");
  expect(judged({ ...facts, change: { ...unused, standard: false } }).standing).toBe("not-judged");
  expect(judged({ ...facts, change: { ...unused, uses: [{ from: 3, to: 3 }] } }).standing).toBe("not-judged");
});

test("another place among the members of a class is nothing that calls show", () => {
  const moved = unit({ relation: "reordered" });
  const facts = { turned: new Set<string>(), mutants: [mutant("compared")], behaviour: behaviour({}) };
  expect(judged({ ...facts, change: moved }).standing).toBe("same");
  expect(judged({ ...facts, change: { ...moved, displaced: true } }).standing).toBe("not-judged");
});

test("a statement that makes something to call is not shown by its tests alone", () => {
  const facts = {
    ...{
      change: unit({ kind: "statement" }),
      uncovered: [],
      mutants: [mutant("killed", ["t"])],
      turned: new Set(["t"]),
    },
    ...{ behaviour: null, around: [], missed: false },
  };
  const bar = { mutationScore: null, problem: null };
  expect(accountOfUnit(facts, bar)).toMatchObject({ standing: "shown" });
  expect(accountOfUnit({ ...facts, callable: true }, bar)).toMatchObject({
    standing: "not-judged",
    why: expect.stringContaining("can be called"),
  });
});

test("that a piece fails without a name that is gone, too, shows nothing of what it was for", () => {
  const back = mutant("killed", ["t"], 3);
  const lost = { ...back, mutant: { ...back.mutant, operator: "put-back" as const, lacks: ["is_banned"] } };
  const facts = {
    ...{ change: unit({ kind: "statement" }), uncovered: [], turned: new Set(["t"]), behaviour: null, around: [] },
    missed: false,
  };
  const bar = { mutationScore: null, problem: null };
  expect(accountOfUnit({ ...facts, mutants: [mutant("killed", ["t"]), back] }, bar)).toMatchObject({
    standing: "shown",
  });
  expect(accountOfUnit({ ...facts, mutants: [mutant("killed", ["t"]), lost] }, bar)).toMatchObject({
    standing: "not-judged",
    why: expect.stringContaining("can do without what went"),
  });
});

test("what a refactoring went without, and nothing met, keeps it from being the same", () => {
  const kept = { turned: new Set<string>(), behaviour: behaviour() };
  const piece = (fate: MutantFate, gone?: string[]): MutantResult => {
    const one = mutant(fate);
    return { ...one, mutant: { ...one.mutant, operator: "put-back", description: "`` → `lock()`, as it was", gone } };
  };
  const small = mutant("compared");
  expect(judged({ ...kept, mutants: [small] }).standing).toBe("same");
  expect(judged({ ...kept, mutants: [small, piece("survived")] }).standing).toBe("same");
  expect(judged({ ...kept, mutants: [small, piece("compared", ["lock"])] }).standing).toBe("same");
  expect(judged({ ...kept, mutants: [small, piece("survived", ["lock"])] })).toMatchObject({
    standing: "not-judged",
    why: "nothing shows that it can do without what went: line 2 `` → `lock()`, as it was",
  });
});

test("a small change with which the file of a turned test cannot be loaded is noticed by that test", () => {
  const turned = new Set(["test_a.py::test_new"]);
  const stopped = (file: string) => judged({ turned, mutants: [mutant("killed", [`${file}::collection`])] }).why;
  expect(stopped("test_a.py")).toContain("1 test that turned green notices");
  expect(stopped("test_b.py")).not.toContain("turned green notices");
});

test("that no test looks at what stands as it stood says nothing of a change that tests turned for", () => {
  const stood = ({ mutant: own, ...result }: MutantResult): MutantResult => ({
    ...result,
    mutant: { ...own, stood: true },
  });
  const killed = mutant("killed", ["new"]);
  expect(judged({ mutants: [killed, stood(mutant("survived"))] }).standing).toBe("shown");
  expect(judged({ mutants: [killed, mutant("survived")] }).standing).toBe("not-judged");
  expect(judged({ mutants: [killed, mutant("survived")].map(stood) }).standing).toBe("not-judged");
  const refactoring = { turned: new Set<string>(), behaviour: behaviour() };
  expect(judged({ ...refactoring, mutants: [stood(mutant("survived"))] }).standing).toBe("not-judged");
});

test("a piece without which the new tests are red again shows its part, though an old test noticed each small change first", () => {
  const back: MutantResult = {
    ...mutant("killed", ["new"], 3),
    mutant: { ...mutant("killed", ["new"], 3).mutant, operator: "put-back" },
  };
  const lacking = { ...back, mutant: { ...back.mutant, lacks: ["errors"] } };
  const small = mutant("killed", ["old"]);
  expect(judged({ mutants: [small, back] }).standing).toBe("shown");
  expect(judged({ mutants: [small, lacking] }).standing).toBe("not-judged");
  expect(judged({ mutants: [small, mutant("survived"), back] }).standing).toBe("not-judged");
  // What was asked for is shown by tests that look closely.
  expect(judged({ mutants: [small, back], bar: { asked: true } }).why).not.toContain("tests of the requirements");
});

test("a shown statement does not vouch for functions that do otherwise with it and whose tests did not turn", () => {
  const statement = { change: unit({ kind: "statement", name: "DIGITS" }), behaviour: null };
  const money = differing({ ...difference("tests", "2.0000"), call: "money(2)", before: "2.00", tests: ["old"] });
  expect(judged({ ...statement, untouched: [money] })).toMatchObject({
    standing: "not-judged",
    partly: true,
    why: "no test turned for what others do now that need it: money(2): 2.00 → 2.0000",
  });
  expect(judged({ ...statement, unrunUses: [{ from: 9, to: 9 }] })).toMatchObject({
    standing: "not-judged",
    partly: true,
    why: "`DIGITS` means something else in lines that no test runs: 9",
  });
  const rate = differing({ ...difference("tests"), tests: ["new"] });
  expect(judged({ ...statement, untouched: [rate, behaviour()] })).toMatchObject({ standing: "shown" });
});
