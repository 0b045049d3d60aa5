import { widthOf } from "../../domain/plan/schedule.ts";
import { editionStrand, todoStrand } from "../../domain/task/step-path.ts";
import type { Run } from "../hands/run.ts";
import { settleYielded } from "../todo/yield-todo.ts";
import { type Following, listeningTo, type PlanEnd, whole, withAll } from "./plan-end.ts";
import { beginTodo, type PlanWork, withRewrites } from "./plan-work.ts";
import { runAtOnce } from "./run-at-once.ts";
import { settleTodo } from "./settle-todo.ts";
import { workOnTodo } from "./work-on-todo.ts";

/** Works until one tree holds the work of every todo, or until a todo fails or is called back. */
export function runPlan(run: Run, plan: PlanWork, following: Following): Promise<PlanEnd> {
  const limit = run.settings.limits.parallel;
  const width = Math.min(limit, widthOf(plan.planned.plan));
  const atOnce = width > 1 || (limit > 1 && plan.edition > 0);
  return atOnce ? runAtOnce(run, plan, { ...following, limit }) : inTurn(run, plan, following);
}

/** Each todo begins from the tree that the one before it left. */
async function inTurn(run: Run, plan: PlanWork, { progress, updatable }: Following): Promise<PlanEnd> {
  const { todos } = plan.planned.plan;
  const done = new Set(progress.done);
  const left = todos.filter(({ id }) => !done.has(id));
  let tree = progress.treeFor(left[0]?.id);
  let end: PlanEnd | undefined;
  for (const todo of left) {
    const now = withRewrites(plan, progress);
    const begun = await beginTodo(run, now, todo, { tree, done, begun: progress.begun.get(todo.id) });
    const listening = listeningTo(run, now, { done, updatable });
    const name = editionStrand(todoStrand(todo.id), plan.edition);
    const { result, head } = await workOnTodo(run, begun, { name, listening });
    progress.settle(todo, result, { from: tree, foundation: [...done] });
    const { yielded } = result;
    if (yielded) {
      await settleYielded(run, todo, result, head);
      return { result, begun, interrupted: { update: yielded.update } };
    }
    await settleTodo(run, todo, result);
    tree = result.tree;
    done.add(todo.id);
    end = { result: withAll(result, progress), begun };
    if (!result.settled.ok) break;
  }
  return end ?? (await whole(run, plan, progress, tree));
}
