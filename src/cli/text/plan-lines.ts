import type { Plan } from "../../domain/plan/plan.ts";
import type { PlanChanges } from "../../domain/plan/plan-changes.ts";
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

/** A plan that was changed by what a person said, as plans are shown, with a mark at what is new or other in it. */
export function changedPlanLines(spec: Spec, plan: Plan, { todos, requirements }: PlanChanges): Line[] {
  const { outOfScope: _, ...required } = spec;
  const marked = (changes: typeof requirements, lines: Line[], ids: string[]): Line[] => [
    ...lines.map(({ text, tone }, index) => line(`  ${markOf(changes, ids[index])}${text.slice(2)}`, tone)),
    ...(changes?.removed ?? []).map(({ id, text }) => line(`  - ${id} ${text}`, "dim")),
  ];
  const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);
  const rows = requirementLines({ ...required, outOfScope: [], superseded: [] }, { examples: false });
  const rest = requirementLines({ ...spec, requirements: [] });
  return [
    ...marked(requirements, rows, idsOf(spec.requirements)),
    ...rest.map(({ text, tone }) => line(`  ${text}`, tone)),
    ...(plan.todos.length > 1 || todos.removed.length > 0 ? marked(todos, todoRows(plan), idsOf(plan.todos)) : []),
    ...assumptionHint(spec),
  ];
}

function markOf(changes: PlanChanges["requirements"], id: string | undefined): string {
  const has = (items: { id: string }[] | undefined) => items?.some((item) => item.id === id);
  return has(changes?.added) ? "+ " : has(changes?.changed) ? "~ " : "  ";
}

/** A plan as soon as it is made, on one screen: requirements, then todos where there are several. */
export function planLines(spec: Spec, plan: Plan): Line[] {
  const todos = plan.todos.length > 1 ? todoRows(plan) : [];
  return [...requirementLines(spec, { examples: false }), ...todos, ...assumptionHint(spec)];
}

const todoRows = ({ todos }: Plan): Line[] => todos.map(({ id, title }) => line(`  ○ ${id}: ${title}`));

function assumptionHint({ requirements }: Spec): Line[] {
  const assumed = requirements.filter(({ assumption }) => assumption).length;
  if (assumed === 0) return [];
  return [line(`  ${count(assumed, "assumption")}: if one is wrong, say so with \`miracle tell "…"\``, "warn")];
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
