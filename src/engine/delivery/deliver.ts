import { z } from "zod";
import { TerminalFailure } from "../../domain/failure.ts";
import type { Delivery } from "../../domain/task/task.ts";
import type { Strand } from "../../journal/strand.ts";
import { executeApply, planApply } from "../../workspace/apply.ts";
import { ApplyIntent } from "../../workspace/apply-intent.ts";
import { undoApply } from "../../workspace/undo.ts";
import { confirmed } from "../hands/confirm.ts";
import type { EngineParts } from "../hands/parts.ts";
import { branchResult } from "./deliver-branch.ts";

/** The parts that writing into the user's directory needs. */
export type DeliveryParts = Pick<EngineParts, "journal" | "artifacts" | "faults">;

/** The person has something there that ours would meet: the result is kept, and nothing is lost. */
const CONFLICTS = new Set(["apply.conflict", "branch.exists", "branch.uncommitted", "branch.no-repository"]);

/**
 * Writes a result into the user's directory, or as a branch into their repository: first the intent is recorded, then it
 * is carried out, then that it is done. A crash in between is rolled forward by the next resume, and `undo` can roll it
 * back at any time.
 */
export async function deliver(strand: Strand, parts: EngineParts, base: string, result: string): Promise<Delivery> {
  const { request } = parts.journal.frozen;
  if (!request.apply) return { applied: false, reason: "not asked for" };
  const diff = () => parts.artifacts.diff(base, result);
  if (!(await confirmed(strand, parts, "diff", { base, result }, diff))) {
    return { applied: false, reason: "declined" };
  }
  try {
    if (request.branch !== undefined) {
      await branchResult(strand, parts, { branch: request.branch, base, result });
      return { applied: true, branch: request.branch };
    }
    await applyResult(strand, parts, base, result);
    return { applied: true };
  } catch (error) {
    if (!(error instanceof TerminalFailure) || !CONFLICTS.has(error.failure.code)) throw error;
    return { applied: false, reason: "conflict", failure: error.failure };
  }
}

export async function applyResult(strand: Strand, parts: DeliveryParts, base: string, result: string): Promise<void> {
  const { directory } = parts.journal.frozen.request;
  const intent = await strand.step(
    { kind: "decision", name: "apply-intent", input: { directory, base, result }, output: ApplyIntent },
    () => planApply(parts.artifacts, directory, base, result),
  );
  await strand.step({ kind: "tool", name: "apply", input: intent, output: z.null() }, async ({ emit }) => {
    await executeApply(intent, directory, parts.artifacts, parts.faults);
    emit({ type: "change-applied", files: intent.changes.map((change) => change.path), directory });
    return null;
  });
}

/**
 * Takes a delivered result back. Where the person has changed a file since, it refuses and names the paths, writes over
 * it all the same, or spares it and takes back the rest.
 */
export async function undoResult(
  strand: Strand,
  parts: DeliveryParts,
  intent: ApplyIntent,
  edited: "refuse" | "force" | "spare",
): Promise<void> {
  const { directory } = parts.journal.frozen.request;
  await strand.step(
    {
      kind: "compensation",
      name: "undo",
      input: edited === "spare" ? { intent, edited } : { intent, force: edited === "force" },
      output: z.null(),
    },
    async ({ emit }) => {
      const { spared } = await undoApply(intent, directory, parts.artifacts, parts.faults, edited);
      const files = intent.changes.map((change) => change.path).filter((path) => !spared.includes(path));
      emit({ type: "change-undone", files, directory });
      if (spared.length > 0) {
        const message = `${spared.slice(0, 10).join(", ")} stays as you changed it since; the rest was taken back`;
        emit({ type: "warning-raised", code: "undo.spared", message });
      }
      return null;
    },
  );
}
