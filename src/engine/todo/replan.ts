import { z } from "zod";
import { briefWay } from "../../agents/briefings/planner.ts";
import { PlanUpdateResult } from "../../agents/finish.ts";
import { parametersOf } from "../../agents/tools/tool.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { ToolSchema } from "../../domain/message.ts";
import { updatedPlan, updateProblem, withHomes } from "../../domain/plan/update-plan.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import { askForApproach, type LoopSnapshot } from "./loop-questions.ts";
import { type Listening, specOf, type TodoWork, todoOf, type Yielded } from "./todo-work.ts";

const PLANNER_TURNS = 8;

export interface Replanned {
  /** For the coder to read; null if the planner gave none. */
  approach: string | null;
  update?: Yielded["update"];
}

/**
 * The work has shown a fault of the approach or of the plan. The planner gives the coder another approach, or changes
 * the plan.
 */
export async function replan(
  run: Run,
  work: TodoWork,
  snapshot: LoopSnapshot,
  listening: Listening | undefined,
): Promise<Replanned> {
  const stand = listening?.stand;
  if (!stand) return { approach: await askForApproach(run, work, snapshot) };
  const { iteration, tree, onTokens, tests: _, ...known } = snapshot;
  const { goal } = run.request;
  const { plan, done } = stand;
  let refused = "";
  const answer = await run.ask<Replanned>("planner", {
    name: iterationStep(iteration, "plan"),
    briefing: [
      briefWay({
        ...known,
        goal,
        spec: specOf(work),
        project: work.project,
        todo: todoOf(work),
        done: plan.todos.filter(({ id }) => done.has(id)),
        left: plan.todos.filter(({ id }) => !done.has(id)),
      }),
    ],
    result: PlanUpdateResult.transform(
      ({ todos, why = "" }): Replanned => ({ approach: null, update: { todos, why } }),
    ),
    finish: await updateTool(run, iteration),
    workbench: readingBench(run, work.language, tree),
    maxTurns: PLANNER_TURNS,
    onText: (text) => {
      if (text.trim() === "") return undefined;
      refused = "";
      return { approach: text.trim() };
    },
    // The planner is asked once more. If its plan is still unusable, the old plan stays.
    check: async ({ update }) => {
      const problem = update && problemOf(stand, update);
      const isFirst = refused === "";
      refused = problem ?? "";
      return isFirst ? problem : undefined;
    },
    onTokens,
  });
  if (refused === "") return answer ?? { approach: null };
  await refuse(run, iteration, refused);
  return { approach: null };
}

/** Records the schema of the first request, so that a later version with another schema still finds this request. */
function updateTool(run: Run, iteration: number): Promise<ToolSchema["parameters"]> {
  const name = iterationStep(iteration, "plan-form");
  const output = z.lazy(() => ToolSchema.unwrap().shape.parameters);
  return run.step({ kind: "decision", name, input: null, output, durable: false }, async () =>
    parametersOf(PlanUpdateResult),
  );
}

export function problemOf(
  stand: NonNullable<Listening["stand"]>,
  { todos }: NonNullable<Yielded["update"]>,
): string | undefined {
  try {
    const plan = updatedPlan(stand, todos);
    const homes = withHomes(stand.tests, plan, stand.done);
    return updateProblem(stand, plan) ?? ("problem" in homes ? homes.problem : undefined);
  } catch (error) {
    if (error instanceof TerminalFailure) return error.message;
    if (error instanceof z.ZodError) return z.prettifyError(error);
    throw error;
  }
}

async function refuse(run: Run, iteration: number, problem: string): Promise<void> {
  const message = `the planner's new plan cannot be used, so the old one stays: ${problem}`;
  const step = { kind: "decision", name: iterationStep(iteration, "plan-refused"), input: { problem } } as const;
  await run.note({ ...step, durable: false }, { type: "warning-raised", code: "plan.not-updated", message });
}
