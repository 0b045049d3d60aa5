import { expect, test } from "vitest";
import { canCarry, forNewChange, type HeldOutTest, MOST_ROUNDS, nextUnseen, settleDispute } from "./held-out.ts";

const STATES = ["unspent", "spent", "void", "unusable"] as const;
const OUTCOMES = [null, "passed", "red", "stopped", "unjudged", "tampered"] as const;
const make = (state: HeldOutTest["state"], outcome: HeldOutTest["outcome"], requirement = "R1"): HeldOutTest => ({
  file: "t.py",
  test: `test_${state}_${outcome}`,
  requirement,
  state,
  before: "red",
  outcome,
  cases: [],
  reason: "",
});
const fresh = { mended: 0, replaced: 0 };
const step = (...tests: HeldOutTest[]) => nextUnseen(tests, ["R1"], fresh).next;

test.each([
  ["unspent", null, "run"],
  ["unspent", "passed", "done"],
  ["unspent", "red", "dispute"],
  ["unspent", "stopped", "mend"],
  ["unspent", "unjudged", "replace"],
  ["unspent", "tampered", "refuse"],
  ["spent", null, "replace"],
  ["spent", "passed", "replace"],
  ["spent", "red", "mend"],
  ["spent", "stopped", "mend"],
  ["spent", "tampered", "refuse"],
  ["void", null, "replace"],
  ["unusable", null, "done"],
] as const)("a test that is %s and %s is followed by: %s", (state, outcome, expected) => {
  expect(step(make(state, outcome))).toBe(expected);
});

test("every state has a next step, and none is done with a red or unrun test that counts", () => {
  for (const state of STATES)
    for (const outcome of OUTCOMES)
      for (const other of STATES)
        for (const otherOutcome of OUTCOMES)
          for (const mended of [0, MOST_ROUNDS])
            for (const replaced of [0, MOST_ROUNDS]) {
              const tests = [make(state, outcome), make(other, otherOutcome)];
              const { next } = nextUnseen(tests, ["R1"], { mended, replaced });
              const open = tests.filter(
                ({ state, outcome }) =>
                  (state === "unspent" || state === "spent") && outcome !== "passed" && outcome !== "unjudged",
              );
              if (next === "done") expect(open).toEqual([]);
              if (tests.some((one) => one.outcome === "tampered")) expect(next).toBe("refuse");
            }
});

test("a spent test is replaced twice at most, and a red one told as often", () => {
  expect(nextUnseen([make("spent", "passed")], ["R1"], { mended: 0, replaced: MOST_ROUNDS }).next).toBe("done");
  expect(nextUnseen([make("spent", "red")], ["R1"], { mended: MOST_ROUNDS, replaced: 0 }).next).toBe("give-up");
});

test("a requirement that has an unspent test left needs no other", () => {
  expect(step(make("spent", "passed"), make("unspent", "passed"))).toBe("done");
  expect(nextUnseen([make("unspent", "passed"), make("void", null, "R2")], ["R1", "R2"], fresh)).toEqual({
    next: "replace",
    requirements: ["R2"],
  });
});

test("a test that was green before runs as any other, and red it is disputed", () => {
  const kept = (outcome: HeldOutTest["outcome"]) => ({ ...make("unspent", outcome), before: "green" as const });
  expect([step(kept(null)), step(kept("red")), step(kept("passed"))]).toEqual(["run", "dispute", "done"]);
});

test("a test that passes whatever the code gives back runs as any other, and mutants tell what it is worth", () => {
  const untold = (outcome: HeldOutTest["outcome"]) => ({ ...make("unspent", outcome), before: "untold" as const });
  expect([step(untold(null)), step(untold("red")), step(untold("passed"))]).toEqual(["run", "dispute", "done"]);
  expect(canCarry(untold("passed"))).toBe(true);
});

test("a test that its twin does not bear out is replaced once, and carries nothing", () => {
  expect(step(make("unspent", "unjudged"), make("unspent", "passed"))).toBe("done");
  expect(step(make("unspent", "unjudged"))).toBe("replace");
  expect(step(make("unspent", "unjudged"), make("unspent", "unjudged"))).toBe("done");
  expect(canCarry(make("unspent", "unjudged"))).toBe(false);
});

test("what is upheld is spent, what is not is void, and nothing but an unspent red test is disputed", () => {
  const red = make("unspent", "red");
  const upheld = settleDispute(red, { ruling: "upheld", reason: "said" });
  const ruledOut = settleDispute(red, { ruling: "void", reason: "not said" });
  expect([upheld.state, ruledOut.state]).toEqual(["spent", "void"]);
  expect(() => settleDispute(make("spent", "red"), { ruling: "void", reason: "" })).toThrow("nothing to dispute");
});

test("of a new change nothing is known", () => {
  expect(forNewChange([make("unspent", "passed"), make("spent", "red")]).map(({ outcome }) => outcome)).toEqual([
    null,
    null,
  ]);
});
