import { fail } from "../../domain/failure.ts";
import { checkPlan } from "../../domain/plan/check-plan.ts";
import { orderTodos } from "../../domain/plan/plan.ts";
import type { PlanFile } from "../../domain/plan/plan-file.ts";
import { withoutCollisions } from "../../domain/plan/plan-graph.ts";
import { confirmed } from "../hands/confirm.ts";
import { enterPhase } from "../hands/enter-phase.ts";
import type { Run } from "../hands/run.ts";
import { Stopped } from "../hands/stop.ts";
import { askPlanner, toPlannedTask } from "./ask-planner.ts";
import { type ClarifiedGoal, clarifyGoal } from "./clarify-goal.ts";
import { designContract } from "./design-contract.ts";
import type { PlannedTask } from "./planned-task.ts";
import { recallForPlan } from "./recall-for-plan.ts";
import { projectView, type Survey } from "./survey.ts";

/**
 * Returns the plan that the person gave, or the planner's plan, before which a vague goal is clarified. The person
 * confirms it if the settings demand it, and a contract is added.
 */
export async function planTask(run: Run, survey: Survey): Promise<PlannedTask> {
  await enterPhase(run, "planning");
  const { request, settings } = run;
  const { clarify, limits } = settings;
  let planned: PlannedTask;
  if (request.plan) planned = givenPlan(request.plan, settings.accept);
  else {
    const view = projectView(survey, {});
    const precise = (why: string) => clarifyGoal(run, survey, view, why);
    const asked: ClarifiedGoal = { text: request.goal, said: request.goal };
    let goal = clarify === "always" ? await precise("the person wants it to be made precise") : asked;
    const recalled = await recallForPlan(run, goal.text, survey.language ?? "");
    let result = await askPlanner(run, survey, "plan", goal, recalled);
    if (result.vague !== undefined && result.vague.trim() !== "" && clarify === "auto") {
      goal = await precise(result.vague);
      result = await askPlanner(run, survey, "plan-again", goal, recalled);
    }
    planned = toPlannedTask(result, goal.said, settings.accept);
    if (limits.parallel > 1) planned = { ...planned, plan: withoutCollisions(planned.plan) };
  }
  await run.note({ kind: "decision", name: "plan-made", input: planned }, { type: "plan-made", ...planned });
  if (run.parts.planOnly) throw new Stopped("planned", "the plan is made");
  await confirmPlan(run, planned);
  return designContract(run, survey, planned);
}

/** Asks the person about the plan, if the settings demand it; what they do not want is not worked on. */
export async function confirmPlan(run: Run, planned: PlannedTask): Promise<void> {
  const plan = describePlan(planned);
  if (await confirmed(run, "plan", { plan }, async () => plan)) return;
  throw fail("policy", "declined.plan", "the plan was not approved; nothing was changed");
}

/** The author of the file said what is to be done. Only the order and the commands of `--accept` are added. */
function givenPlan({ size, spec, plan, relevantFiles }: PlanFile, accept: string[]): PlannedTask {
  const [problem] = checkPlan(
    plan,
    spec.requirements.map(({ id }) => id),
  );
  if (problem) throw fail("invalid-input", problem.code, problem.message);
  return {
    size,
    spec: { ...spec, accept: [...new Set([...spec.accept, ...accept])] },
    plan: { todos: orderTodos(plan) },
    relevantFiles,
  };
}

function describePlan({ spec, plan, size }: PlannedTask): string {
  const requirements = spec.requirements.map(
    (item) => `  ${item.id} ${item.text}${item.assumption ? " (assumption)" : ""}`,
  );
  const todos = plan.todos.map((todo) => `  ${todo.id}: ${todo.title}`);
  const obsolete = (spec.superseded ?? []).map(
    ({ test, requirement, quote }) => `  ${test} may turn red: ${requirement}, “${quote}”`,
  );
  if (obsolete.length > 0) todos.push("tests of yours that the goal makes obsolete", ...obsolete);
  return [`${spec.title} (${size} ${spec.kind}, ${spec.language})`, ...requirements, "todos", ...todos].join("\n");
}
