import type { Contract } from "../../domain/contract.ts";
import type { Plan } from "../../domain/plan.ts";
import { foundationOf } from "../../domain/plan-graph.ts";

/**
 * After which todo which examples can be run. All of them after the last one where it stands on all others; where todos are
 * worked on beside each other, each example after the todo that makes its file. What no todo says it makes is left out.
 */
export function exampleGroups(contract: Contract, plan: Plan): { todo: string; contract: Contract }[] {
  const last = plan.todos.at(-1);
  if (!last) return [];
  if (foundationOf(plan, last.id).size === plan.todos.length) return [{ todo: last.id, contract }];
  const makerOf = (file: string) => plan.todos.findLast(({ artifacts }) => artifacts.includes(file))?.id;
  const byMaker = Map.groupBy(contract.functions, ({ file }) => makerOf(file));
  return [...byMaker].flatMap(([todo, functions]) =>
    todo === undefined ? [] : [{ todo, contract: { ...contract, functions } }],
  );
}
