import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import { BranchIntent } from "../../workspace/branch-intent.ts";
import { makeBranch, planBranch, removeBranch } from "../../workspace/user-branch.ts";
import type { Run } from "../hands/run.ts";
import type { DeliveryParts } from "./apply-result.ts";
import { commitMessage, type ShownResult } from "./commit-message.ts";

/**
 * Commits the result to a new branch of the user's repository. The intent is recorded first; the branch gets its name
 * last.
 */
export async function branchResult(
  run: Run<DeliveryParts>,
  wanted: { branch: string; base: string; result: string },
  shown: ShownResult,
): Promise<void> {
  const { task, frozen } = run.parts.journal;
  const { directory, goal } = frozen.request;
  const message = commitMessage({ ...shown, task, goal, result: wanted.result });
  const at = await run.now("branch-clock");
  const intent = await run.step(
    { kind: "decision", name: "branch-intent", input: { directory, ...wanted }, output: BranchIntent },
    () => planBranch(run.parts.artifacts, directory, { ...wanted, message, at }),
  );
  await run.step({ kind: "tool", name: "branch", input: intent, output: z.string() }, async ({ emit }) => {
    await makeBranch(intent, directory, run.parts.artifacts, run.parts.faults);
    const files = intent.changes.map(({ path }) => path);
    emit({ type: "change-applied", files, directory, branch: intent.branch });
    return intent.commit;
  });
}

/**
 * Takes a branch back. If a person has built on the branch or has it checked out, `undo` refuses, or spares and names
 * it.
 */
export async function undoBranch(
  run: Run<DeliveryParts>,
  intent: BranchIntent,
  touched: "refuse" | "spare",
): Promise<void> {
  const { directory } = run.request;
  await run.step(
    { kind: "compensation", name: "undo-branch", input: { intent, touched }, output: z.string() },
    async ({ emit }) => {
      const kept = await removeBranch(intent, directory, run.parts.faults);
      if (kept === null) {
        const files = intent.changes.map(({ path }) => path);
        emit({ type: "change-undone", files, directory, branch: intent.branch });
        return intent.commit;
      }
      const why = kept === "built upon" ? "has commits since" : "is checked out";
      const message = `branch ${intent.branch} stays, because it ${why}; \`git branch -D ${intent.branch}\` removes it`;
      if (touched === "refuse") throw fail("policy", "undo.branch-kept", message);
      emit({ type: "warning-raised", code: "undo.branch-kept", message });
      return intent.commit;
    },
  );
}
