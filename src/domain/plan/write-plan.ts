import type { z } from "zod";
import type { BranchTodo } from "./branch.ts";
import type { Todo } from "./plan.ts";
import type { PlanFile } from "./plan-file.ts";
import type { WrittenPlan } from "./written-plan.ts";
import type { WrittenTodo } from "./written-todo.ts";

/** A plan as people and other programs read it; what says nothing is left out. */
export function writePlan(
  { goal, size, spec, plan, relevantFiles }: PlanFile,
  branches: BranchTodo[] = [],
): z.input<typeof WrittenPlan> {
  const { title, kind, language, requirements, outOfScope, accept, superseded, contract } = spec;
  return {
    ...(goal !== undefined && { goal }),
    title,
    kind,
    language,
    size,
    requirements,
    ...(outOfScope.length > 0 && { out_of_scope: outOfScope }),
    ...(accept.length > 0 && { accept }),
    ...(superseded && { superseded }),
    ...(contract && { contract }),
    ...(relevantFiles.length > 0 && { relevant_files: relevantFiles }),
    todos: [...plan.todos.map(writeTodo), ...branches.map(writeBranch)],
  };
}

export function writeTodo(todo: Todo): z.input<typeof WrittenTodo> {
  const { id, title, description, role, priority, requirements, files, preconditions, postconditions, effects } = todo;
  const { dependsOn, acceptance, artifacts, metrics, timeoutMs, retries, debugAttempts } = todo;
  return {
    id,
    title,
    ...(description !== undefined && { description }),
    agent_role: role,
    ...(priority !== undefined && { priority }),
    dependencies: dependsOn,
    requirements,
    acceptance_criteria: acceptance,
    expected_artifacts: artifacts,
    ...(metrics && { metrics: metrics.map(writeMetric) }),
    ...(files && { files }),
    ...(preconditions && { preconditions }),
    ...(postconditions && { postconditions }),
    ...(effects && { effects }),
    ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    ...(retries !== undefined && { retries }),
    ...(debugAttempts !== undefined && { max_debug_attempts: debugAttempts }),
  };
}

export const writeBranch = ({ id, parent, reason, finding, instructions, maxAttempts }: BranchTodo) => ({
  id,
  parent_id: parent,
  title: finding,
  agent_role: "debugger" as const,
  branch_reason: reason,
  debug_instructions: instructions,
  is_temporary: true,
  max_debug_attempts: maxAttempts,
});

const writeMetric = ({ name, command, atMost, atLeast }: NonNullable<Todo["metrics"]>[number]) => ({
  name,
  command,
  ...(atMost !== undefined && { at_most: atMost }),
  ...(atLeast !== undefined && { at_least: atLeast }),
});
