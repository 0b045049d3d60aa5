import { z } from "zod";
import { briefWay } from "../../agents/briefings/planner.ts";
import { PlanUpdateResult } from "../../agents/finish.ts";
import { parametersOf } from "../../agents/tools/tool.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { ToolSchema } from "../../domain/message.ts";
import { updatedPlan, updateProblem, withHomes } from "../../domain/plan/update-plan.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import type { Strand } from "../../journal/strand.ts";
import { askRole } from "../hands/ask-role.ts";
import type { EngineParts } from "../hands/parts.ts";
import { Workbench } from "../hands/workbench.ts";
import { askForApproach, isUnusable, type Standing } from "./loop-questions.ts";
import type { Listening, TodoWork, Yielded } from "./todo-work.ts";

const PLANNER_TURNS = 8;

export interface Way {
  /** For the coder to read; null where nothing came. */
  approach: string | null;
  update?: Yielded["update"];
}

/** The work has shown that something is wrong: with the way, then the coder is told another, or with the plan. */
export async function askForWay(strand: Strand, parts: EngineParts, work: TodoWork, standing: Standing): Promise<Way> {
  const stand = work.listening?.stand;
  if (!stand) return { approach: await askForApproach(strand, parts, work, standing) };
  const { iteration, tree, onTokens, ...known } = standing;
  const { goal } = parts.journal.frozen.request;
  const { plan, done } = stand;
  let refused = "";
  const conclusion = await askRole<Way>(parts, {
    strand,
    name: iterationStep(iteration, "plan"),
    role: "planner",
    briefing: [
      briefWay({
        ...known,
        goal,
        spec: work.spec,
        project: work.project,
        todo: work.todo,
        done: plan.todos.filter(({ id }) => done.has(id)),
        left: plan.todos.filter(({ id }) => !done.has(id)),
      }),
    ],
    result: PlanUpdateResult.transform(({ todos, why = "" }): Way => ({ approach: null, update: { todos, why } })),
    finish: await updateTool(strand, iteration),
    workbench: new Workbench(parts, "read", work.language, tree, []),
    maxTurns: PLANNER_TURNS,
    onText: (text) => {
      if (text.trim() === "") return undefined;
      refused = "";
      return { approach: text.trim() };
    },
    // Asked once more; a plan that is still unusable is left, and the old one stays.
    check: async ({ update }) => {
      const problem = update && problemOf(stand, update);
      const isFirst = refused === "";
      refused = problem ?? "";
      return isFirst ? problem : undefined;
    },
    onTokens,
  }).catch((error: unknown) => {
    if (isUnusable(error)) return { ended: "turns" as const };
    throw error;
  });
  const way = conclusion.ended === "turns" ? { approach: null } : conclusion.result;
  if (refused === "") return way;
  await refuse(strand, iteration, refused);
  return { approach: null };
}

/** As it is when it is first asked: a later version that asks otherwise finds the old question again. */
function updateTool(strand: Strand, iteration: number): Promise<ToolSchema["parameters"]> {
  const name = iterationStep(iteration, "plan-form");
  const output = z.lazy(() => ToolSchema.unwrap().shape.parameters);
  return strand.step({ kind: "decision", name, input: null, output, durable: false }, async () =>
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

async function refuse(strand: Strand, iteration: number, problem: string): Promise<void> {
  const message = `the planner's new plan cannot be used, so the old one stays: ${problem}`;
  const step = { kind: "decision", name: iterationStep(iteration, "plan-refused"), input: { problem } } as const;
  await strand.step({ ...step, output: z.null(), durable: false }, async ({ emit }) => {
    emit({ type: "warning-raised", code: "plan.not-updated", message });
    return null;
  });
}
