import type { Plan } from "../../domain/plan/plan.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import type { BranchProgress, TodoProgress, TodoState } from "../../domain/task/plan-state.ts";
import { count, elapsed } from "./amounts.ts";
import { type Line, line } from "./line.ts";

/** What is required, and what of it nobody said: a person must see that before the work is done. */
export function requirementLines(
  { requirements, outOfScope, superseded = [] }: Spec,
  { examples = true } = {},
): Line[] {
  return [
    ...requirements.map(({ id, text, assumption, example }) => {
      const shown = example && examples ? ` (${example.input} → ${example.output})` : "";
      return line(`  ${id} ${assumption ? "(assumption) " : ""}${text}${shown}`);
    }),
    ...outOfScope.map((text) => line(`  out of scope: ${text}`, "dim")),
    ...(superseded.length > 0 ? [line("  these tests of yours become obsolete:", "warn")] : []),
    ...superseded.map(({ test, requirement, quote }) => line(`    ${test} (${requirement}: “${quote}”)`, "warn")),
  ];
}

/** A plan as soon as it is made, on one screen: requirements, then todos where there are several. */
export function planLines(spec: Spec, plan: Plan): Line[] {
  const todos = plan.todos.length > 1 ? plan.todos.map(({ id, title }) => line(`  ○ ${id}: ${title}`)) : [];
  const assumed = spec.requirements.filter(({ assumption }) => assumption).length;
  const hint =
    assumed === 0
      ? []
      : [line(`  ${count(assumed, "assumption")}: if one is wrong, say so with \`miracle tell "…"\``, "warn")];
  return [...requirementLines(spec, { examples: false }), ...todos, ...hint];
}

/** How a todo stands, as shape and word. */
const STATES: Record<TodoState, string> = {
  waiting: "○",
  ready: "○",
  running: "◐",
  done: "●",
  failed: "✗",
  branched: "◐",
  cancelled: "✗",
};

/** `  ◐ parser: read the file (running, iteration 2)` */
export function todoLine({ todo, state, attempt, iteration, begunAt, endedAt }: TodoProgress): string {
  const where = [
    state,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(iteration > 0 && endedAt === null ? [`iteration ${iteration}`] : []),
    ...(begunAt !== null && endedAt !== null ? [elapsed(endedAt - begunAt)] : []),
  ];
  return `  ${STATES[state]} ${todo.id}: ${todo.title} (${where.join(", ")})`;
}

/** `    ✗ parser-debug: it drops the last line (failed)`, below its parent. */
export const branchLine = ({ id, finding, state }: BranchProgress): string =>
  `    ${STATES[state]} ${id}: ${finding} (${state})`;
