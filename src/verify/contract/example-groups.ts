import type { Contract } from "../../domain/plan/contract.ts";
import type { Plan } from "../../domain/plan/plan.ts";
import { foundationOf } from "../../domain/plan/plan-graph.ts";
import type { Requirement } from "../../domain/plan/spec.ts";

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

/** The requirement that an example test stands with: the first that names its function, as a word. */
export function requirementOfExample(test: string, { functions }: Contract, requirements: Requirement[]): string {
  // The longest name first: `parse` is a part of `parse_line`.
  const byLength = functions.map(({ name }) => name).sort((a, b) => b.length - a.length);
  const called = byLength.find((name) => test.includes(name));
  const words = (text: string) => new Set(text.match(/\w+/g) ?? []);
  const about = requirements.find(({ text }) => called !== undefined && words(text).has(called));
  return (about ?? requirements[0])?.id ?? "";
}

/** Tests made from the contract's examples change only with the contract. */
export const isExampleFile = (path: string): boolean => /contract[_-]examples/.test(path);
