import { expect, test } from "vitest";
import { FailureKind } from "../failure.ts";
import type { Iteration } from "./iteration.ts";
import { type Place, type Recovery, route } from "./route-failure.ts";

const iteration = (tree: string): Iteration => ({
  number: 1,
  todo: "main",
  tree,
  outcome: "red",
  passed: 0,
  red: ["t"],
  tokens: 0,
  durationMs: 0,
});

const all = (place: Place) =>
  Object.fromEntries(FailureKind.options.map((kind) => [kind, route({ kind, code: "x", message: "x" }, place).action]));
const everyKind = (action: Recovery["action"]) => Object.fromEntries(FailureKind.options.map((kind) => [kind, action]));

test("a red iteration is thought about, an unusable answer is asked for again, and what does not improve is given up", () => {
  const moving: Place = { at: "iteration", history: [iteration("a"), iteration("b")], patience: 4 };
  expect(all(moving)).toEqual({ ...everyKind("reflect"), "invalid-input": "retry" });
  const stuck: Place = { at: "iteration", history: [iteration("a"), iteration("a")], patience: 4 };
  expect(all(stuck)).toEqual(everyKind("give-up"));
});

test("a failed todo is begun anew only for what may pass, as often as it says; then it is debugged or given up", () => {
  const outside = { transient: "wait", environment: "wait", budget: "wait" };
  const fresh = { at: "todo", attempt: 1, retries: 1, debugAttempts: 2 } as const;
  const passing = { timeout: "begin-anew", flaky: "begin-anew", "resource-limit": "begin-anew" };
  const debugged = { logic: "debug", timeout: "debug" };
  expect(all(fresh)).toEqual({
    ...everyKind("give-up"),
    ...debugged,
    ...outside,
    ...passing,
    transient: "retry",
  });
  expect(all({ ...fresh, attempt: 2 })).toEqual({ ...everyKind("give-up"), ...debugged, ...outside });
  expect(all({ ...fresh, attempt: 2, debugAttempts: 0 })).toEqual({ ...everyKind("give-up"), ...outside });
});

test("the limit of iterations is the todo's own: it is debugged and does not wait for money", () => {
  const failure = { kind: "budget", code: "limit.iterations", message: "x" } as const;
  const place = { at: "todo", attempt: 1, retries: 3, debugAttempts: 1 } as const;
  expect(route(failure, place).action).toBe("debug");
  expect(route(failure, { ...place, debugAttempts: 0 }).action).toBe("give-up");
});

test("what does not fit is worked again on the merged tree, a few times at most", () => {
  const outside = { transient: "wait", environment: "wait", budget: "wait" };
  expect(all({ at: "merge", reworks: 2 })).toEqual({ ...everyKind("rework"), ...outside });
  expect(all({ at: "merge", reworks: 3 })).toEqual({ ...everyKind("give-up"), ...outside });
});

test("at the end a person is asked, where one may be, about work that is red or tests that are at fault", () => {
  const asked = { logic: "ask", timeout: "ask" };
  expect(all({ at: "end", asks: true })).toEqual({ ...everyKind("give-up"), ...asked });
  expect(all({ at: "end", asks: false })).toEqual(everyKind("give-up"));
  const at = (code: string) => route({ kind: "flaky", code, message: "x" }, { at: "end", asks: true }).action;
  expect([at("branch.flaky-test"), at("other")]).toEqual(["ask", "give-up"]);
});
