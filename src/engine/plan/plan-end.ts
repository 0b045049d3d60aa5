import type { Todo } from "../../domain/plan/plan.ts";
import type { Run } from "../hands/run.ts";
import type { Listening, TodoResult, Yielded } from "../todo/todo-work.ts";
import { judgeMerged } from "./judge-merged.ts";
import type { PlanProgress } from "./plan-progress.ts";
import { type BegunWork, beginWhole, type PlanWork, withRewrites } from "./plan-work.ts";

export interface PlanEnd {
  /** The result of all todos together, or of the one that failed. */
  result: TodoResult;
  /** How the work was begun. The coder continues from it when something of the whole must be mended. */
  begun: BegunWork;
  /**
   * Todos were called back. The next edition continues from `PlanProgress`, with the planner's new todos if it gave
   * any.
   */
  interrupted?: { update?: Yielded["update"] };
}

/** How the todos of this edition may change the plan. */
export interface Following {
  progress: PlanProgress;
  /** Whether planners may change the rest of the plan. */
  updatable: boolean;
}

/** No todo is left, but the requirements have changed: the whole is judged once more. */
export async function whole(run: Run, plan: PlanWork, progress: PlanProgress, tree: string): Promise<PlanEnd> {
  const done = new Set(plan.planned.plan.todos.map(({ id }) => id));
  const begun = await beginWhole(run, withRewrites(plan, progress), { tree, done });
  return { result: withAll(await judgeMerged(run, begun, plan), progress), begun };
}

/** Adds what earlier todos and editions did to tests. */
export function withAll(result: TodoResult, { tampering, spent }: PlanProgress): TodoResult {
  return { ...result, tampering: [...new Set([...tampering, ...result.tampering])], spent: [...spent] };
}

/** Tells a todo of this edition when the task calls it back. */
export function listeningTo(
  run: Run,
  { planned, tests }: PlanWork,
  { done, updatable, isCalled = () => false }: { done: Set<string>; updatable: boolean; isCalled?: () => boolean },
): Listening {
  const requirements = planned.spec.requirements.map(({ id }) => id);
  const stand = {
    plan: planned.plan,
    done: new Set(done),
    requirements,
    given: givenTodos(run),
    tests: [...tests.files, ...tests.heldOutFiles],
  };
  return {
    isWanted: async () => isCalled() || (await run.parts.messages.next()) !== null,
    ...(updatable && { stand }),
  };
}

/** The todos of a plan that a person gave. */
export const givenTodos = (run: Run): Todo[] => run.request.plan?.plan.todos ?? [];
