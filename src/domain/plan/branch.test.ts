import { expect, test } from "vitest";
import { FailureKind } from "../failure.ts";
import { BranchReason, isDebuggable, routeBranch } from "./branch.ts";

const routes = (powers: Parameters<typeof routeBranch>[1]) =>
  Object.fromEntries(BranchReason.options.map((reason) => [reason, routeBranch(reason, powers)]));

test("a fault of the code goes to the coder, one of a test to the tester by what shows it, one of the contract to the architect", () => {
  const shown = {
    implementation_bug: { to: "coder" },
    spec_mismatch: { to: "tester", shownBy: "judge" },
    flaky_test: { to: "tester", shownBy: "runs" },
    timeout: { to: "tester", shownBy: "slowness" },
  };
  expect(routes({ rewrites: true, contract: false })).toEqual(shown);
  expect(routes({ rewrites: true, contract: true })).toEqual({
    ...shown,
    spec_mismatch: { to: "tester", shownBy: "architect" },
  });
});

test("where no test may be written anew, a test at fault is for a person", () => {
  for (const contract of [false, true]) {
    expect(routes({ rewrites: false, contract })).toEqual({
      implementation_bug: { to: "coder" },
      spec_mismatch: { to: "nobody", kind: "spec-mismatch", code: "branch.spec-mismatch" },
      flaky_test: { to: "nobody", kind: "flaky", code: "branch.flaky-test" },
      timeout: { to: "coder" },
    });
  }
});

test("what the outside lacks, a policy forbids or nobody can use is not debugged, a loop that gave up is", () => {
  const debuggable = FailureKind.options.filter((kind) => isDebuggable({ kind, code: "some.code", message: "" }));
  expect(debuggable).toEqual(["logic", "timeout"]);
  expect(isDebuggable({ kind: "budget", code: "limit.iterations", message: "" })).toBe(true);
  expect(isDebuggable({ kind: "budget", code: "budget.cost", message: "" })).toBe(false);
  expect(isDebuggable({ kind: "timeout", code: "todo.timeout", message: "" })).toBe(false);
});
