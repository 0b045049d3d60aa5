import { z } from "zod";
import { executeApply, planApply } from "../../workspace/apply.ts";
import { ApplyIntent } from "../../workspace/apply-intent.ts";
import { undoApply } from "../../workspace/undo.ts";
import type { EngineParts } from "../hands/parts.ts";
import type { Run } from "../hands/run.ts";

/** The parts that writing into the user's directory or repository needs. */
export type DeliveryParts = Pick<EngineParts, "journal" | "artifacts" | "faults">;

/** Writes the result into the user's directory. The intent is recorded before the first file is written. */
export async function applyResult(run: Run<DeliveryParts>, base: string, result: string): Promise<void> {
  const { directory } = run.request;
  const intent = await run.step(
    { kind: "decision", name: "apply-intent", input: { directory, base, result }, output: ApplyIntent },
    () => planApply(run.parts.artifacts, directory, base, result),
  );
  await run.step({ kind: "tool", name: "apply", input: intent, output: z.null() }, async ({ emit }) => {
    await executeApply(intent, directory, run.parts.artifacts, run.parts.faults);
    emit({ type: "change-applied", files: intent.changes.map((change) => change.path), directory });
    return null;
  });
}

/**
 * Takes a delivered result back. If the person changed a file since, `undo` either refuses and names the paths, or
 * overwrites the file, or spares it and takes back the rest.
 */
export async function undoResult(
  run: Run<DeliveryParts>,
  intent: ApplyIntent,
  edited: "refuse" | "force" | "spare",
): Promise<void> {
  const { directory } = run.request;
  await run.step(
    {
      kind: "compensation",
      name: "undo",
      input: edited === "spare" ? { intent, edited } : { intent, force: edited === "force" },
      output: z.null(),
    },
    async ({ emit }) => {
      const { spared } = await undoApply(intent, directory, run.parts.artifacts, run.parts.faults, edited);
      const files = intent.changes.map((change) => change.path).filter((path) => !spared.includes(path));
      const added = new Set(intent.changes.filter(({ before }) => before === null).map(({ path }) => path));
      emit({ type: "change-undone", files, removed: files.filter((path) => added.has(path)), directory });
      if (spared.length > 0) {
        const message = `${spared.slice(0, 10).join(", ")} stays as you changed it since; the rest was taken back`;
        emit({ type: "warning-raised", code: "undo.spared", message });
      }
      return null;
    },
  );
}
