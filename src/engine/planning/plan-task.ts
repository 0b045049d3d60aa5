import { z } from "zod";
import { briefPlanner } from "../../agents/briefings/planner.ts";
import { PlannerResult } from "../../agents/finish.ts";
import { fail, TerminalFailure } from "../../domain/failure.ts";
import { checkPlan } from "../../domain/plan/check-plan.ts";
import { GoalSize, orderTodos, Plan, Todo } from "../../domain/plan/plan.ts";
import type { PlanFile } from "../../domain/plan/plan-file.ts";
import { withoutCollisions } from "../../domain/plan/plan-graph.ts";
import { isAmplyQuoted, isQuoted } from "../../domain/plan/quoted-words.ts";
import { Spec } from "../../domain/plan/spec.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import { type ClarifiedGoal, clarifyGoal } from "./clarify-goal.ts";
import { recallForPlan } from "./recall-for-plan.ts";
import { projectView, type Survey, surveyedLanguage } from "./survey.ts";

export const PlannedTask = z.object({
  size: GoalSize,
  spec: Spec,
  plan: Plan,
  relevantFiles: z.array(z.string()),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

const PLANNER_TURNS = 12;

/** The plan that the person gave, or the planner's. */
export async function planTask(run: Run, survey: Survey): Promise<PlannedTask> {
  const { request, settings } = run;
  const planned = request.plan ? givenPlan(request.plan, settings.accept) : await triage(run, survey);
  await run.note({ kind: "decision", name: "plan-made", input: planned }, { type: "plan-made", ...planned });
  return planned;
}

/** Who wrote it said what is to be done: nothing is added but the order, and what `--accept` says. */
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

/** One conversation that makes the goal precise, decides its size and cuts it into todos. */
async function triage(run: Run, survey: Survey): Promise<PlannedTask> {
  const { request, settings } = run;
  const { clarify = "never" } = settings;
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
  const made = toPlannedTask(result, goal.said, settings.accept);
  return (settings.limits.parallel ?? 1) > 1 ? { ...made, plan: withoutCollisions(made.plan) } : made;
}

async function askPlanner(
  run: Run,
  survey: Survey,
  name: string,
  { text, said }: ClarifiedGoal,
  recalled: string,
): Promise<PlannerResult> {
  const { request, settings } = run;
  const goal = text === request.goal ? text : `${request.goal}\n\nMade precise:\n${text}`;
  const conclusion = await run.converse("planner", {
    name,
    briefing: [briefPlanner(goal, projectView(survey, {}), settings.effort, request.attachments, recalled)],
    result: PlannerResult,
    workbench: readingBench(run, surveyedLanguage(run, survey), survey.tree),
    maxTurns: PLANNER_TURNS,
    check: async (result) => problemOf(completed(result), said),
  });
  if (conclusion.ended === "finished") return completed(conclusion.result);
  throw fail(
    "invalid-input",
    "plan.unfinished",
    `the planner gave no plan within ${PLANNER_TURNS} turns; say the goal more exactly`,
  );
}

/** A single todo that names no requirements means all of them. */
function completed(result: PlannerResult): PlannerResult {
  const [only] = result.todos;
  if (result.todos.length > 1 || !only || only.requirements.length > 0) return result;
  return { ...result, todos: [{ ...only, requirements: result.requirements.map((item) => item.id) }] };
}

function problemOf(result: PlannerResult, goal: string): string | undefined {
  try {
    orderTodos({ todos: result.todos.map((todo) => Todo.parse(todo)) });
  } catch (error) {
    if (error instanceof TerminalFailure) return error.message;
    throw error;
  }
  if (result.size === "small" && result.todos.length > 1)
    return "a small goal has exactly one todo; make it large or merge the todos";
  const ids = result.requirements.map((item) => item.id);
  if (new Set(ids).size < ids.length) return "two requirements have the same id";
  const assigned = new Set(result.todos.flatMap((todo) => todo.requirements));
  const homeless = ids.filter((id) => !assigned.has(id));
  if (homeless.length > 0) return `no todo fulfils ${homeless.join(", ")}`;
  const unknown = [...assigned].filter((id) => !ids.includes(id));
  if (unknown.length > 0) return `todos name requirements that do not exist: ${unknown.join(", ")}`;
  const unsaid = (result.superseded ?? []).find(
    ({ quote, requirement }) => !isAmplyQuoted(goal, quote) || !ids.includes(requirement),
  );
  if (unsaid)
    return `${unsaid.test} is superseded only where the goal's own words say so: quote them, with a requirement`;
  return undefined;
}

function toPlannedTask(result: PlannerResult, goal: string, accept: string[]): PlannedTask {
  const { title, kind, language, outOfScope, superseded = [] } = result;
  const requirements = result.requirements.map((item) => ({ ...item, assumption: !isQuoted(goal, item.quote) }));
  const todos = result.todos.map((todo) => Todo.parse(todo));
  return {
    size: result.size,
    spec: { title, kind, language, requirements, outOfScope, accept, ...(superseded.length > 0 && { superseded }) },
    plan: { todos: orderTodos({ todos }) },
    relevantFiles: result.relevantFiles,
  };
}
