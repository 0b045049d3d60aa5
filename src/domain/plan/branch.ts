import { z } from "zod";
import type { Failure } from "../failure.ts";

/** Why a todo stays red, as the debugger found it. */
export const BranchReason = z.enum(["implementation_bug", "spec_mismatch", "flaky_test", "timeout"]);
export type BranchReason = z.infer<typeof BranchReason>;

/** A temporary todo: it exists until its parent is green or given up. */
export const BranchTodo = z.object({
  id: z.string(),
  parent: z.string(),
  reason: BranchReason,
  /** What the debugger found out, for people. */
  finding: z.string(),
  instructions: z.string(),
  maxAttempts: z.int().positive(),
});
export type BranchTodo = z.infer<typeof BranchTodo>;

/** Failures that a closer look may help with: the loop gave up, or the code is wrong. */
export const isDebuggable = ({ kind, code }: Failure): boolean =>
  // Time of its own that is used up leaves none for a look.
  code !== "todo.timeout" &&
  (code.startsWith("loop.") || code === "limit.iterations" || kind === "logic" || kind === "timeout");

/** How it must be shown that a test is at fault: a role's word alone does not count. */
export type ShownBy =
  /** It both passes and fails on the same code. */
  | "runs"
  /** It takes too long on the unchanged code. */
  | "slowness"
  /** A judge who sees no code quotes the spec. */
  | "judge"
  /** The architect; where the architect blames the test, the judge must agree. */
  | "architect";

type BranchRoute =
  | { to: "coder" }
  /** Only when the fault of the test is shown; otherwise to the coder. */
  | { to: "tester"; shownBy: ShownBy }
  /** No role can help: a person decides. */
  | ({ to: "nobody" } & Pick<Failure, "kind" | "code">);

interface BranchPowers {
  /** A test that is shown to be at fault may be written anew. */
  rewrites: boolean;
  /** An architect wrote down what the parts promise each other. */
  contract: boolean;
}

/** Pure: what follows on the debugger's finding. */
export function routeBranch(reason: BranchReason, { rewrites, contract }: BranchPowers): BranchRoute {
  switch (reason) {
    case "implementation_bug":
      return { to: "coder" };
    case "timeout":
      return rewrites ? { to: "tester", shownBy: "slowness" } : { to: "coder" };
    case "flaky_test":
      return rewrites ? { to: "tester", shownBy: "runs" } : { to: "nobody", ...AT_FAULT.flaky_test };
    case "spec_mismatch":
      return rewrites
        ? { to: "tester", shownBy: contract ? "architect" : "judge" }
        : { to: "nobody", ...AT_FAULT.spec_mismatch };
  }
}

/** The failure of a todo whose tests are at fault and could not be rewritten. */
export const AT_FAULT = {
  spec_mismatch: { kind: "spec-mismatch", code: "branch.spec-mismatch" },
  flaky_test: { kind: "flaky", code: "branch.flaky-test" },
  timeout: { kind: "timeout", code: "branch.slow-test" },
  implementation_bug: { kind: "logic", code: "branch.code" },
} as const satisfies Record<BranchReason, Pick<Failure, "kind" | "code">>;
