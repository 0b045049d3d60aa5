import { expect, test } from "vitest";
import { BranchReason, isDebuggable, routeBranch } from "./branch.ts";
import { FailureKind } from "./failure.ts";

test("only a fault of the code goes back to a programmer", () => {
  const routes = BranchReason.options.map((reason) => [reason, routeBranch(reason)]);
  expect(routes).toEqual([
    ["implementation_bug", "code"],
    ["spec_mismatch", { kind: "spec-mismatch", code: "branch.spec-mismatch" }],
    ["flaky_test", { kind: "flaky", code: "branch.flaky-test" }],
    ["timeout", "code"],
  ]);
});

test("what the outside lacks, a policy forbids or nobody can use is not debugged, a loop that gave up is", () => {
  const debuggable = FailureKind.options.filter((kind) => isDebuggable({ kind, code: "some.code", message: "" }));
  expect(debuggable).toEqual(["logic", "timeout"]);
  expect(isDebuggable({ kind: "budget", code: "limit.iterations", message: "" })).toBe(true);
  expect(isDebuggable({ kind: "budget", code: "budget.cost", message: "" })).toBe(false);
});
