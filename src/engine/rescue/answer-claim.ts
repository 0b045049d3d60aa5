import { z } from "zod";
import type { BranchTodo } from "../../domain/plan/branch.ts";
import type { Run } from "../hands/run.ts";
import type { RewrittenTests } from "../testing/written-tests.ts";
import { type Attempt, withRewrittenTests } from "../todo/attempt.ts";
import type { PlannedTodo, TodoResult } from "../todo/todo-work.ts";
import { amendContract } from "./amend-contract.ts";
import { rewriteTests } from "./rewrite-tests.ts";
import { settleClaim } from "./settle-claim.ts";
import type { TestClaim } from "./test-claim.ts";

type Also = Pick<TodoResult, "rewritten" | "disputes" | "contract">;

/**
 * The best attempt, and the tree it began from, both with the new tests. So the new tests do not count as the coder's
 * change.
 */
const Placed = z.object({ tree: z.string(), from: z.string() });

/** How the coder continues after somebody blamed a test, or that it cannot continue. */
export type ClaimAnswer =
  | { at: "work"; attempt: Attempt; note: string; also: Also; work?: PlannedTodo }
  | { at: "end"; why?: string; also: Also };

/** Settles the debugger's claim against a test. The tester rewrites each test that is shown to be at fault. */
export async function answerClaim(
  run: Run,
  { branch, ...claim }: TestClaim & { branch: BranchTodo },
): Promise<ClaimAnswer> {
  const { work, attempt } = claim;
  const settled = await settleClaim(run, claim);
  if (settled.fault === "contract") return goOnAmended(run, claim, settled.why);
  if (settled.fault === "elsewhere") return { at: "end", also: {} };
  const { disputes } = settled;
  const also: Also = disputes.length > 0 ? { disputes } : {};
  if (settled.fault === "code") {
    return { at: "work", attempt, note: `Somebody debugged this: ${branch.finding}\n${settled.note}`, also };
  }
  const { blamed, faults } = settled;
  const rewritten = await rewriteTests(run, { work, given: attempt.tests, cause: branch.reason, blamed, faults });
  if (!rewritten) return { at: "end", also };
  const { path } = rewritten.file;
  const placed = await place(run, attempt, [rewritten]);
  const why = faults.map((fault) => `${fault.name}: ${fault.why}`).join("; ");
  return {
    at: "work",
    attempt: withRewrittenTests(attempt, [rewritten], placed),
    note: `Tests of ${path} were found to be at fault and written anew; the new ones count. ${why}`,
    also: { ...also, rewritten: [rewritten] },
  };
}

function place(run: Run, attempt: Attempt, rewritten: RewrittenTests[]) {
  const tests = rewritten.map(({ file: { path, content } }) => ({ path, content }));
  const input = { tree: attempt.tree, from: attempt.earlier?.from ?? attempt.tree, tests };
  return run.step({ kind: "tool", name: "place-rewritten", input, output: Placed }, async () => {
    const over = (tree: string) => run.parts.artifacts.overlay(run.task, tree, input.tests);
    return { tree: over(input.tree), from: over(input.from) };
  });
}

/** The coder goes on by the amended contract. Without an amendment a person decides. */
async function goOnAmended(run: Run, claim: TestClaim, why: string): Promise<ClaimAnswer> {
  const amended = await amendContract(run, claim, why);
  if (!amended) return { at: "end", why, also: {} };
  const { work, attempt } = claim;
  const { contract, examples } = amended;
  const { subject } = work;
  const spec = { ...subject.spec, contract };
  const wanted = { ...subject.wanted, planned: { ...subject.wanted.planned, spec } };
  const next =
    examples.length === 0 ? attempt : withRewrittenTests(attempt, examples, await place(run, attempt, examples));
  return {
    at: "work",
    work: { ...work, subject: { ...subject, spec, wanted } },
    attempt: next,
    note: `The contract went against the requirements and was amended by its architect; it counts as you see it now. ${why}`,
    also: { contract, ...(examples.length > 0 && { rewritten: examples }) },
  };
}
