import { z } from "zod";
import type { Failure } from "./failure.ts";

/** Why a todo stays red, as the debugger found it. */
export const BranchReason = z.enum(["implementation_bug", "spec_mismatch", "flaky_test", "timeout"]);
export type BranchReason = z.infer<typeof BranchReason>;

/** A todo that lives only until its parent is green or given up. */
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

/** Failures that somebody who looks more closely may get further with: the loop gave up, the code is wrong. */
export const isDebuggable = ({ kind, code }: Failure): boolean =>
  code === "loop.stuck" || code === "limit.iterations" || kind === "logic" || kind === "timeout";

/** Pure: what follows on the debugger's finding. Where the tests are at fault, no programmer can help: a person decides. */
export function routeBranch(reason: BranchReason): "code" | Pick<Failure, "kind" | "code"> {
  switch (reason) {
    case "implementation_bug":
    case "timeout":
      return "code";
    case "spec_mismatch":
      return { kind: "spec-mismatch", code: "branch.spec-mismatch" };
    case "flaky_test":
      return { kind: "flaky", code: "branch.flaky-test" };
  }
}
