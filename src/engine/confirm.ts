import { z } from "zod";
import type { Strand } from "../journal/strand.ts";
import type { EngineParts } from "./parts.ts";

/** Shows what is about to be done and asks, where the settings say so. The answer is recorded: it is asked once. */
export async function confirmed(
  strand: Strand,
  parts: Pick<EngineParts, "journal" | "confirm">,
  subject: "plan" | "diff",
  input: unknown,
  text: () => Promise<string>,
): Promise<boolean> {
  if (!parts.journal.frozen.settings.confirm.includes(subject)) return true;
  return strand.step({ kind: "decision", name: `confirm-${subject}`, input, output: z.boolean() }, async () =>
    parts.confirm(subject, await text()),
  );
}
