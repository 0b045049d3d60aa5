import { briefPlanner } from "../../agents/briefings/planner.ts";
import { PlannerResult } from "../../agents/finish.ts";
import { mayAddPackages } from "../../agents/offered-tools.ts";
import { fail, TerminalFailure } from "../../domain/failure.ts";
import { missingDemand } from "../../domain/plan/missing-demand.ts";
import { orderTodos, Todo } from "../../domain/plan/plan.ts";
import { isAbout, isAmplyQuoted, isQuoted } from "../../domain/plan/quoted-words.ts";
import { withSaidDemands } from "../../domain/plan/said-demands.ts";
import type { TaskRequest } from "../../domain/task/task.ts";
import { readable, whoIs } from "../hands/role-scopes.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { ClarifiedGoal } from "./clarify-goal.ts";
import type { PlannedTask } from "./planned-task.ts";
import { projectView, type Survey, surveyedLanguage } from "./survey.ts";

const PLANNER_TURNS = 12;

/** Asks the planner for size, requirements and todos of a goal. `recalled`: what memory knows of similar goals. */
export async function askPlanner(
  run: Run,
  survey: Survey,
  name: "plan" | "plan-again",
  { text, said }: ClarifiedGoal,
  recalled: string,
): Promise<PlannerResult> {
  const { request, settings } = run;
  const goal = text === request.goal ? text : `${request.goal}\n\nMade precise:\n${text}`;
  const files = readable(settings, whoIs("planner", run), survey.shown ?? []);
  const view = projectView(survey, {}, files.length > 0 && files.length === survey.files);
  const project = { ...view, canAdd: mayAddPackages(run.parts.journal.frozen.tools) };
  const { attachments, earlier } = request;
  const conclusion = await run.converse("planner", {
    name,
    briefing: [briefPlanner({ goal, project, files, effort: settings.effort, attachments, recalled, earlier })],
    result: PlannerResult,
    workbench: readingBench(run, surveyedLanguage(run, survey), survey.tree),
    maxTurns: PLANNER_TURNS,
    check: async (result) =>
      problemOf(completed(result), said) ?? missingDemand(request.demands ?? [], result, ownWords(request, said)),
  });
  if (conclusion.ended === "finished") return completed(conclusion.result);
  throw fail(
    "invalid-input",
    "plan.unfinished",
    `the planner gave no plan within ${PLANNER_TURNS} turns; say the goal more exactly`,
  );
}

/** What the person said, without what a template made of it. */
const ownWords = ({ goal, words = goal }: TaskRequest, said: string): string => said.replace(goal, () => words);

/** A single todo that names no requirements means all of them. */
function completed(result: PlannerResult): PlannerResult {
  const [only] = result.todos;
  if (result.todos.length > 1 || !only || only.requirements.length > 0) return result;
  return { ...result, todos: [{ ...only, requirements: result.requirements.map((item) => item.id) }] };
}

function problemOf(result: PlannerResult, goal: string): string | undefined {
  try {
    orderTodos({ todos: result.todos.map((todo) => Todo.parse(withSaidDemands(todo, goal))) });
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

export function toPlannedTask(result: PlannerResult, goal: string, accept: string[]): PlannedTask {
  const { title, kind, language, outOfScope, superseded = [] } = result;
  const isMeant = ({ quote = "", text, example }: PlannerResult["requirements"][number]) =>
    isAbout(quote, `${text} ${example?.input ?? ""} ${example?.output ?? ""}`);
  // Where no quote shares a word with its requirement, goal and plan are in different languages.
  const isAlike = result.requirements.some(isMeant);
  const requirements = result.requirements.map((item) => ({
    ...item,
    assumption: !isQuoted(goal, item.quote) || (isAlike && !isMeant(item)),
  }));
  const todos = result.todos.map((todo) => Todo.parse(withSaidDemands(todo, goal)));
  return {
    size: result.size,
    spec: { title, kind, language, requirements, outOfScope, accept, ...(superseded.length > 0 && { superseded }) },
    plan: { todos: orderTodos({ todos }) },
    relevantFiles: result.relevantFiles,
  };
}
