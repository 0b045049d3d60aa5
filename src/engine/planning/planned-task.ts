import { z } from "zod";
import { GoalSize, Plan } from "../../domain/plan/plan.ts";
import { Spec } from "../../domain/plan/spec.ts";

/** What is to be done, and in which parts. */
export const PlannedTask = z.object({
  size: GoalSize,
  spec: Spec,
  plan: Plan,
  relevantFiles: z.array(z.string()),
});
export type PlannedTask = z.infer<typeof PlannedTask>;
