import type { Todo } from "../../domain/plan/plan.ts";
import type { Run } from "../hands/run.ts";
import type { Listening, TodoResult, Yielded } from "../todo/todo-work.ts";
import { judgeMerged } from "./judge-merged.ts";
import type { PlanProgress } from "./plan-progress.ts";
import { type BegunWork, beginWhole, type PlanWork, withRewrites } from "./plan-work.ts";

export interface PlanEnd {
  /** Of all todos together, or of the one that failed. */
  result: TodoResult;
  /** How it was begun: the coder goes on from it when something of the whole is to be mended. */
  begun: BegunWork;
  /** Todos were called back: it is gone on with from `PlanProgress`, with what a planner made of the rest if one did. */
  interrupted?: { update?: Yielded["update"] };
}

/** What the todos of this edition may do to the plan. */
export interface Following {
  progress: PlanProgress;
  /** Whether planners may change what is left. */
  updatable: boolean;
}

/** Nothing is left to do, but what is to hold is not what it was: all of it is judged once more. */
export async function whole(run: Run, plan: PlanWork, progress: PlanProgress, tree: string): Promise<PlanEnd> {
  const done = new Set(plan.planned.plan.todos.map(({ id }) => id));
  const begun = await beginWhole(run, withRewrites(plan, progress.rewritten), { tree, done });
  return { result: withAll(await judgeMerged(run, begun, plan), progress), begun };
}

/** What earlier todos and editions did to tests counts too. */
export function withAll(result: TodoResult, { tampering, spent }: PlanProgress): TodoResult {
  return { ...result, tampering: [...new Set([...tampering, ...result.tampering])], spent: [...spent] };
}

/** How a todo of this edition is called back. */
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

/** Those of a plan that a person gave. */
export const givenTodos = (run: Run): Todo[] => run.request.plan?.plan.todos ?? [];
