import { z } from "zod";
import { GoalSize, Plan } from "./plan.ts";
import { Spec } from "./spec.ts";

/** A plan that a person gave or wrote (`written-plan.ts`): the spec, and the graph of todos that fulfils it. */
export const PlanFile = z.lazy(() =>
  z.object({
    goal: z.string().min(1).optional(),
    size: GoalSize.default("large"),
    spec: Spec,
    plan: Plan,
    /** Existing files whose content the test writer needs. */
    relevantFiles: z.array(z.string()).default([]),
  }),
);
export type PlanFile = z.infer<typeof PlanFile>;
