import { widthOf } from "../domain/schedule.ts";
import type { Strand } from "../journal/strand.ts";
import type { EngineParts } from "./parts.ts";
import { type PlanWork, workFor } from "./plan-work.ts";
import { runAtOnce } from "./run-at-once.ts";
import { settleTodo } from "./settle-todo.ts";
import type { TodoResult, TodoWork } from "./todo-work.ts";
import { workOnTodo } from "./work-on-todo.ts";

export interface PlanEnd {
  /** Of all todos together, or of the one that failed. */
  result: TodoResult;
  /** How the coder goes on with the whole when something of it is to be mended. */
  work: TodoWork;
}

/** From the tests to a tree that holds the work of every todo, or to the first that failed. */
export function runPlan(strand: Strand, parts: EngineParts, plan: PlanWork): Promise<PlanEnd> {
  const limit = parts.journal.frozen.settings.limits.parallel ?? 1;
  const width = Math.min(limit, widthOf(plan.planned.plan));
  return width > 1 ? runAtOnce(strand, parts, plan, limit) : inTurn(strand, parts, plan);
}

/** Each todo begins from the tree that the one before it left. */
async function inTurn(strand: Strand, parts: EngineParts, plan: PlanWork): Promise<PlanEnd> {
  const { todos } = plan.planned.plan;
  const done = new Set<string>();
  const tampering: string[] = [];
  const spent: string[] = [];
  let { tree } = plan.start;
  let end: PlanEnd | undefined;
  for (const todo of todos) {
    const work = await workFor(strand, parts, plan, { todo, tree, done });
    const { result } = await workOnTodo(parts, todo, work);
    await settleTodo(strand, parts, todo, result);
    tree = result.tree;
    tampering.push(...result.tampering);
    spent.push(...(result.spent ?? []));
    done.add(todo.id);
    end = { result: { ...result, tampering, spent }, work };
    if (!result.settled.ok) break;
  }
  if (!end) throw new Error("a plan has at least one todo");
  return end;
}
