import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../failure.ts";
import { isFinal, type LoopLimits, type LoopOutcome, type LoopState, transition } from "./loop.ts";

const failure: Failure = { kind: "logic", code: "tests.red", message: "1 red" };
const limits: LoopLimits = { maxIterations: 15, warnAt: 12, review: false, audit: false };
type Phase = LoopState["phase"];

const states: Record<Phase, LoopState> = {
  init: { phase: "init" },
  planning: { phase: "planning", iteration: 0 },
  coding: { phase: "coding", iteration: 3 },
  review: { phase: "review", iteration: 3 },
  audit: { phase: "audit", iteration: 3 },
  testing: { phase: "testing", iteration: 3 },
  reflecting: { phase: "reflecting", iteration: 3, failure },
  success: { phase: "success", iteration: 3 },
  failed: { phase: "failed", iteration: 3, failure },
};

const outcomes: Record<string, LoopOutcome> = {
  started: { type: "started" },
  planned: { type: "planned" },
  coded: { type: "coded" },
  approved: { type: "approved" },
  green: { type: "green" },
  rejected: { type: "rejected", failure },
  "reflected to code": { type: "reflected", next: "code", stuck: false },
  "reflected to plan": { type: "reflected", next: "plan", stuck: false },
  "reflected, stuck": { type: "reflected", next: "code", stuck: true },
  stopped: { type: "stopped", failure },
};

/** Every state with every outcome that is possible in it; all others are bugs and throw. */
const table: Record<Phase, Record<string, Phase>> = {
  init: { started: "planning", stopped: "failed" },
  planning: { planned: "coding", rejected: "failed", stopped: "failed" },
  coding: { coded: "testing", rejected: "reflecting", stopped: "failed" },
  review: { approved: "testing", rejected: "reflecting", stopped: "failed" },
  audit: { approved: "testing", rejected: "reflecting", stopped: "failed" },
  testing: { green: "success", rejected: "reflecting", stopped: "failed" },
  reflecting: {
    "reflected to code": "coding",
    "reflected to plan": "planning",
    "reflected, stuck": "failed",
    stopped: "failed",
  },
  success: {},
  failed: {},
};

describe("every phase with every outcome", () => {
  for (const [phase, state] of Object.entries(states)) {
    for (const [name, outcome] of Object.entries(outcomes)) {
      const expected = table[state.phase][name];
      test(`${phase}: ${name} → ${expected ?? "impossible"}`, () => {
        if (expected) expect(transition(state, outcome, limits).state.phase).toBe(expected);
        else expect(() => transition(state, outcome, limits)).toThrow("cannot get");
      });
    }
  }
});

test.each([
  [true, true, ["review", "audit", "testing"]],
  [true, false, ["review", "testing"]],
  [false, true, ["audit", "testing"]],
  [false, false, ["testing"]],
] as const)("review %s and audit %s come before testing, in this order", (review, audit, expected) => {
  const phases: Phase[] = [];
  let state = transition(states.coding, { type: "coded" }, { ...limits, review, audit }).state;
  phases.push(state.phase);
  while (state.phase !== "testing") {
    state = transition(state, { type: "approved" }, { ...limits, review, audit }).state;
    phases.push(state.phase);
  }
  expect(phases).toEqual(expected);
});

test("a new iteration counts one up, planning anew counts none", () => {
  const coding = transition(states.reflecting, { type: "reflected", next: "code", stuck: false }, limits).state;
  expect(coding).toEqual({ phase: "coding", iteration: 4 });
  const planning = transition(states.reflecting, { type: "reflected", next: "plan", stuck: false }, limits).state;
  expect(planning).toEqual({ phase: "planning", iteration: 3 });
  expect(transition(planning, { type: "planned" }, limits).state).toEqual({ phase: "coding", iteration: 4 });
});

test("the circuit breaker warns once, at its iteration", () => {
  const warned = Array.from({ length: 14 }, (_, index) => index + 1).filter((iteration) => {
    const state: LoopState = { phase: "reflecting", iteration, failure };
    return transition(state, { type: "reflected", next: "code", stuck: false }, limits).warning !== undefined;
  });
  expect(warned).toEqual([11]);
});

test("after the last iteration the loop has failed with the limit as its reason", () => {
  const last: LoopState = { phase: "reflecting", iteration: 15, failure };
  const { state } = transition(last, { type: "reflected", next: "code", stuck: false }, limits);
  expect(state).toMatchObject({ phase: "failed", failure: { kind: "budget", code: "limit.iterations" } });
});

test("whatever happens, the loop ends and never passes its limit", () => {
  const anyOutcome = fc.constantFrom(...Object.values(outcomes));
  const anyLimits = fc.record({
    maxIterations: fc.integer({ min: 1, max: 6 }),
    warnAt: fc.integer({ min: 1, max: 6 }),
    review: fc.boolean(),
    audit: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(anyOutcome, { maxLength: 300 }), anyLimits, (wishes, chosen) => {
      let state: LoopState = { phase: "init" };
      let coded = 0;
      for (const wish of wishes) {
        if (isFinal(state)) break;
        try {
          state = transition(state, wish, chosen).state;
        } catch {
          continue;
        }
        if (state.phase === "coding") coded += 1;
        expect("iteration" in state ? state.iteration : 0).toBeLessThanOrEqual(chosen.maxIterations);
      }
      expect(coded).toBeLessThanOrEqual(chosen.maxIterations);
    }),
  );
});
