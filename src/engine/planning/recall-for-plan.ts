import type { Strand } from "../../journal/strand.ts";
import { Recall } from "../../memory/recalled.ts";
import { beingUseful } from "../hands/best-effort.ts";
import type { EngineParts } from "../hands/parts.ts";

/** What the uses of the plan are counted under: no todo has this name, and no iteration this number. */
const PLAN = { todo: "plan", iteration: 0 };

/**
 * What the planner's first request is told of earlier work, quoted; empty where there is none. It stands before the first
 * request of a task, so it is found by words alone: nothing is loaded for it but a look into the tables.
 */
export async function recallForPlan(
  strand: Strand,
  parts: EngineParts,
  goal: string,
  language: string,
): Promise<string> {
  if (!parts.journal.frozen.settings.memory?.use?.plan) return "";
  const recalled = await strand.step(
    { kind: "tool", name: "recall", input: { goal, language }, output: Recall, durable: false },
    async ({ emit }) => {
      const found = await beingUseful(parts, emit, () => parts.memory.recallAtOnce(goal, language));
      if (!found) return { text: "", tokens: 0, shown: [], heldBack: [] };
      const { shown, heldBack, tokens } = found;
      if (shown.length + heldBack.length > 0)
        emit({ type: "memory-recalled", ...PLAN, cause: "goal", shown, heldBack, tokens });
      return found;
    },
  );
  return recalled.text;
}
