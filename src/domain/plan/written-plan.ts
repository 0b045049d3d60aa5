import { z } from "zod";
import { Contract } from "./contract.ts";
import { GoalSize } from "./plan.ts";
import type { PlanFile } from "./plan-file.ts";
import { GoalKind, LanguageName, Requirement, Superseded } from "./spec.ts";
import { todoFrom, WrittenTodo } from "./written-todo.ts";

/*
 * A plan in the words that people and other programs write: `miracle plan` writes it, `validate` and `run --plan` take
 * it, the service's API answers with its todos. All objects are strict: a misspelt key must not be dropped in silence.
 */

/** The spec and its todos, as one flat document. */
export const WrittenPlan = z.lazy(() =>
  z
    .strictObject({
      goal: z.string().min(1).optional(),
      title: z.string().min(1).max(120),
      kind: GoalKind.default("feature"),
      language: LanguageName,
      size: GoalSize.default("large"),
      requirements: z.array(WrittenRequirement).min(1),
      out_of_scope: z.array(z.string()).default([]),
      accept: z.array(z.string().min(1)).default([]).describe("Commands that must succeed in the end"),
      superseded: z.array(z.strictObject(Superseded.shape)).optional().describe("Tests that the goal makes obsolete"),
      contract: Contract.optional(),
      relevant_files: z.array(z.string()).default([]).describe("Existing files that the test writer must see"),
      todos: z.array(WrittenTodo).min(1),
    })
    .superRefine(checkBranches),
);
export type WrittenPlan = z.infer<typeof WrittenPlan>;

const WrittenRequirement = z.strictObject({
  ...Requirement.shape,
  example: z.strictObject({ input: z.string(), output: z.string() }).optional(),
});

/** The plan that a document says, in our own words. */
export function planFrom(written: WrittenPlan): PlanFile {
  const { goal, title, kind, language, size, requirements, accept, superseded, contract } = written;
  const branches = written.todos.filter(({ is_temporary }) => is_temporary);
  return {
    ...(goal !== undefined && { goal }),
    size,
    spec: {
      title,
      kind,
      language,
      requirements,
      outOfScope: written.out_of_scope,
      accept,
      ...(superseded && { superseded }),
      ...(contract && { contract }),
    },
    plan: {
      todos: written.todos
        .filter(({ is_temporary }) => !is_temporary)
        .map((todo) =>
          todoFrom(
            todo,
            branches.filter(({ parent_id }) => parent_id === todo.id),
          ),
        ),
    },
    relevantFiles: written.relevant_files,
  };
}

function checkBranches({ todos }: { todos: WrittenTodo[] }, context: z.RefinementCtx): void {
  const ids = new Set(todos.filter(({ is_temporary }) => !is_temporary).map(({ id }) => id));
  if (ids.size === 0) context.addIssue({ code: "custom", path: ["todos"], message: "there are only branch todos" });
  for (const [index, { is_temporary, parent_id }] of todos.entries()) {
    if (!is_temporary || parent_id === null || ids.has(parent_id)) continue;
    const message = `there is no todo ${parent_id} that it could help`;
    context.addIssue({ code: "custom", path: ["todos", index, "parent_id"], message });
  }
}
