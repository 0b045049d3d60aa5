import { z } from "zod";
import type { Failure } from "../failure.ts";

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

/** How it is shown that a test is at fault: nobody is believed who only says so. */
export type ShownBy =
  /** It goes one way and the other on the same code. */
  | "runs"
  /** It takes too long where nothing was changed yet. */
  | "slowness"
  /** A judge who sees no code quotes the spec. */
  | "judge"
  /** The architect, and where they blame the test the judge, too. */
  | "architect";

type BranchRoute =
  | { to: "coder" }
  /** Once it is shown that the test is at fault; until then to the coder. */
  | { to: "tester"; shownBy: ShownBy }
  /** Nobody of us can help: a person decides. */
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

/** What a todo ends with whose tests are at fault, and nobody could write them anew. */
export const AT_FAULT = {
  spec_mismatch: { kind: "spec-mismatch", code: "branch.spec-mismatch" },
  flaky_test: { kind: "flaky", code: "branch.flaky-test" },
  timeout: { kind: "timeout", code: "branch.slow-test" },
  implementation_bug: { kind: "logic", code: "branch.code" },
} as const satisfies Record<BranchReason, Pick<Failure, "kind" | "code">>;
