import { Recall } from "../../memory/recalled.ts";
import { bestEffort } from "../hands/best-effort.ts";
import type { Run } from "../hands/run.ts";

/** What the uses of the plan are counted under: no todo has this name, and no iteration this number. */
const PLAN = { todo: "plan", iteration: 0 };

/**
 * What the planner's first request is told of earlier work, quoted; empty where there is none. It stands before the first
 * request of a task, so it is found by words alone: nothing is loaded for it but a look into the tables.
 */
export async function recallForPlan(run: Run, goal: string, language: string): Promise<string> {
  if (!run.settings.memory.use) return "";
  const recalled = await run.step(
    { kind: "tool", name: "recall", input: { goal, language }, output: Recall, durable: false },
    async ({ emit }) => {
      const found = await bestEffort(run.parts, emit, () => run.parts.memory.recallAtOnce(goal, language));
      if (!found) return { text: "", tokens: 0, shown: [], heldBack: [] };
      const { shown, heldBack, tokens } = found;
      if (shown.length + heldBack.length > 0)
        emit({ type: "memory-recalled", ...PLAN, cause: "goal", shown, heldBack, tokens });
      return found;
    },
  );
  return recalled.text;
}
