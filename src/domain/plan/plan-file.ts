import { z } from "zod";
import { GoalSize, Todo } from "./plan.ts";
import { Spec } from "./spec.ts";

/** Strict: a misspelt key of a plan that a person wrote must not be dropped silently. */
const WrittenTodo = z.lazy(() => z.strictObject(Todo.shape));

/** A plan as `miracle plan` writes it and `run --plan` takes it: the spec, and the graph of todos that fulfils it. */
export const PlanFile = z.lazy(() =>
  z.strictObject({
    goal: z.string().min(1).optional(),
    size: GoalSize.default("large"),
    spec: Spec,
    plan: z.strictObject({ todos: z.array(WrittenTodo).min(1) }),
    /** Existing files whose content the test writer needs. */
    relevantFiles: z.array(z.string()).default([]),
  }),
);
export type PlanFile = z.infer<typeof PlanFile>;
