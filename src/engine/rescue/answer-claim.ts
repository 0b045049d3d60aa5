import { z } from "zod";
import type { BranchTodo } from "../../domain/plan/branch.ts";
import type { Run } from "../hands/run.ts";
import { type Attempt, withRewrittenTests } from "../todo/attempt.ts";
import type { TodoResult } from "../todo/todo-work.ts";
import { rewriteTests } from "./rewrite-tests.ts";
import { settleClaim } from "./settle-claim.ts";
import type { TestClaim } from "./test-claim.ts";

type Also = Pick<TodoResult, "rewritten" | "disputes">;

/**
 * The best attempt, and the tree it began from, both with the new tests. So the new tests do not count as the coder's
 * change.
 */
const Placed = z.object({ tree: z.string(), from: z.string() });

/** How the coder continues after somebody blamed a test, or that it cannot continue. */
export type ClaimAnswer =
  | { at: "work"; attempt: Attempt; note: string; also: Also }
  | { at: "end"; why?: string; also: Also };

/** Settles the debugger's claim against a test. The tester rewrites each test that is shown to be at fault. */
export async function answerClaim(
  run: Run,
  { branch, ...claim }: TestClaim & { branch: BranchTodo },
): Promise<ClaimAnswer> {
  const { work, attempt } = claim;
  const settled = await settleClaim(run, claim);
  if (settled.fault === "contract") return { at: "end", why: settled.why, also: {} };
  if (settled.fault === "elsewhere") return { at: "end", also: {} };
  const { disputes } = settled;
  const also: Also = disputes.length > 0 ? { disputes } : {};
  if (settled.fault === "code") {
    return { at: "work", attempt, note: `Somebody debugged this: ${branch.finding}\n${settled.note}`, also };
  }
  const { blamed, faults } = settled;
  const rewritten = await rewriteTests(run, { work, given: attempt.tests, cause: branch.reason, blamed, faults });
  if (!rewritten) return { at: "end", also };
  const { path, content } = rewritten.file;
  const input = { tree: attempt.tree, from: attempt.earlier?.from ?? attempt.tree, tests: [{ path, content }] };
  const placed = await run.step({ kind: "tool", name: "place-rewritten", input, output: Placed }, async () => {
    const over = (tree: string) => run.parts.artifacts.overlay(run.task, tree, input.tests);
    return { tree: over(input.tree), from: over(input.from) };
  });
  const why = faults.map((fault) => `${fault.name}: ${fault.why}`).join("; ");
  return {
    at: "work",
    attempt: withRewrittenTests(attempt, [rewritten], placed),
    note: `Tests of ${path} were found to be at fault and written anew; the new ones count. ${why}`,
    also: { ...also, rewritten: [rewritten] },
  };
}
