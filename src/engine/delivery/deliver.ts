import { TerminalFailure } from "../../domain/failure.ts";
import type { Delivery } from "../../domain/task/task.ts";
import { confirmed } from "../hands/confirm.ts";
import type { Run } from "../hands/run.ts";
import { applyResult } from "./apply-result.ts";
import type { ShownResult } from "./commit-message.ts";
import { branchResult } from "./deliver-branch.ts";

/**
 * Failures because the person has something at the place where the result would go. The result is kept, nothing is
 * lost.
 */
const CONFLICTS = new Set(["apply.conflict", "branch.exists", "branch.uncommitted", "branch.no-repository"]);

/**
 * Writes a result into the user's directory, or as a branch into their repository. Three records: the intent, the
 * effect, that it is done. The next resume completes a delivery that a crash cut off, and `undo` can take it back at
 * any time.
 */
export async function deliver(run: Run, base: string, result: string, shown: ShownResult): Promise<Delivery> {
  const { request } = run;
  if (!request.apply) return { applied: false, reason: "not asked for" };
  const diff = () => run.parts.artifacts.diff(base, result);
  if (!(await confirmed(run, "diff", { base, result }, diff))) {
    return { applied: false, reason: "declined" };
  }
  if (request.base) return { applied: false, reason: "left to the server" };
  try {
    if (request.branch !== undefined) {
      await branchResult(run, { branch: request.branch, base, result }, shown);
      return { applied: true, branch: request.branch };
    }
    await applyResult(run, base, result);
    return { applied: true };
  } catch (error) {
    if (!(error instanceof TerminalFailure) || !CONFLICTS.has(error.failure.code)) throw error;
    return { applied: false, reason: "conflict", failure: error.failure };
  }
}
