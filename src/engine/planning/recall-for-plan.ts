import { Recall } from "../../memory/recalled.ts";
import { bestEffort } from "../hands/best-effort.ts";
import type { Run } from "../hands/run.ts";

/** Uses of memory for the plan are counted under this name and number, which no todo and no iteration has. */
const PLAN = { todo: "plan", iteration: 0 };

/**
 * What the planner's first request quotes from memory; empty if there is nothing. The first request of a task must not
 * wait, so this search goes by words alone: it reads tables and loads nothing else.
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
