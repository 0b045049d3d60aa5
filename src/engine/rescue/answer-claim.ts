import { z } from "zod";
import type { BranchTodo, ShownBy } from "../../domain/plan/branch.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Run } from "../hands/run.ts";
import { withRewritten } from "../testing/written-tests.ts";
import type { TodoResult, TodoWork } from "../todo/todo-work.ts";
import { rewriteTests } from "./rewrite-tests.ts";
import { settleClaim } from "./settle-claim.ts";

export interface ClaimOfBranch {
  todo: Todo;
  /** From the best attempt on. */
  work: TodoWork;
  failed: TodoResult;
  branch: BranchTodo;
  shownBy: ShownBy;
  /** Ids that the debugger named. */
  tests: string[];
}

type Also = Pick<TodoResult, "rewritten" | "disputes">;

/** The best attempt, and where it began, with the new tests in both: a change of theirs is none of the coder's. */
const Placed = z.object({ tree: z.string(), from: z.string().optional() });

/** How the coder goes on after a test was blamed, or that it cannot. */
export type ClaimAnswer =
  | { at: "work"; work: TodoWork; note: string; also: Also }
  | { at: "end"; why?: string; also: Also };

/** Settles what the debugger says of a test, and lets the tester write anew what is shown to be at fault. */
export async function answerClaim(run: Run, claim: ClaimOfBranch): Promise<ClaimAnswer> {
  const { todo, work, failed, branch, shownBy, tests: named } = claim;
  const settled = await settleClaim(run, { todo, work, failed, shownBy, named });
  const { wanted } = work;
  if (settled.fault === "contract") return { at: "end", why: settled.why, also: {} };
  if (settled.fault === "elsewhere" || !wanted) return { at: "end", also: {} };
  const { disputes } = settled;
  const also: Also = disputes.length > 0 ? { disputes } : {};
  if (settled.fault === "code") {
    return { at: "work", work, note: `Somebody debugged this: ${branch.finding}\n${settled.note}`, also };
  }
  const { blamed, faults } = settled;
  const about = { todo: todo.id, work, wanted, cause: branch.reason, blamed, faults };
  const rewritten = await rewriteTests(run, about);
  if (!rewritten) return { at: "end", also };
  const { path, content } = rewritten.file;
  const input = { tree: work.tree, from: work.attempt?.from, tests: [{ path, content }] };
  const placed = await run.step({ kind: "tool", name: "place-rewritten", input, output: Placed }, async () => {
    const over = (tree: string) => run.parts.artifacts.overlay(run.task, tree, input.tests);
    return { tree: over(input.tree), ...(input.from !== undefined && { from: over(input.from) }) };
  });
  const given = { files: work.tests, guards: work.guards ?? [], ids: work.ids ?? [] };
  const { files, guards, ids } = withRewritten(given, [rewritten]);
  const attempt = placed.from !== undefined && { attempt: { from: placed.from, red: "" } };
  const why = faults.map((fault) => `${fault.name}: ${fault.why}`).join("; ");
  const note = `Tests of ${path} were found to be at fault and written anew; the new ones count. ${why}`;
  return {
    at: "work",
    work: { ...work, ...attempt, tree: placed.tree, tests: files, guards, ids },
    note,
    also: { ...also, rewritten: [rewritten] },
  };
}
