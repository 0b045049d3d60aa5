import type { Plan, Todo } from "./plan.ts";
import { foundationOf, independentPairs, sharedPlace } from "./plan-graph.ts";

/** What is wrong with a plan: which todo, why, and what to do, in one line. */
interface PlanProblem {
  /** Stable, for programs: `plan.cycle`. */
  code: string;
  todo: string;
  message: string;
}

/** Everything that is wrong with the graph of a plan, so that a person can fix it in one go. */
export function checkPlan(plan: Plan, requirements?: string[]): PlanProblem[] {
  const problems = [...duplicates(plan), ...dangling(plan)];
  const circle = inCircles(plan);
  if (circle.length > 0) {
    const [first = ""] = circle;
    const message = `todos depend on each other in a circle: ${circle.join(", ")}; take one dependency out`;
    problems.push({ code: "plan.cycle", todo: first, message });
  }
  problems.push(...unreachable(plan, circle));
  problems.push(...plan.todos.flatMap(withoutAcceptance));
  if (requirements) problems.push(...requirementProblems(plan, requirements));
  // Which todos may run at once is known only when the graph is sound.
  return problems.length > 0 ? problems : collisions(plan);
}

function duplicates({ todos }: Plan): PlanProblem[] {
  const ids = todos.map((todo) => todo.id);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((todo) => ({
    code: "plan.duplicate",
    todo,
    message: `two todos have the id ${todo}; give one of them another`,
  }));
}

function dangling({ todos }: Plan): PlanProblem[] {
  const ids = new Set(todos.map((todo) => todo.id));
  return todos.flatMap((todo) =>
    todo.dependsOn
      .filter((id) => !ids.has(id))
      .map((id) => ({
        code: "plan.dangling",
        todo: todo.id,
        message: `todo ${todo.id} depends on ${id}, which the plan does not have`,
      })),
  );
}

/** Todos that depend on themselves, directly or by others. */
function inCircles(plan: Plan): string[] {
  return plan.todos
    .filter(({ id, dependsOn }) => dependsOn.some((below) => foundationOf(plan, below).has(id)))
    .map((todo) => todo.id);
}

function unreachable(plan: Plan, circle: string[]): PlanProblem[] {
  const ids = new Set(plan.todos.map((todo) => todo.id));
  const blocked = (todo: Todo) => circle.includes(todo.id) || todo.dependsOn.some((id) => !ids.has(id));
  return plan.todos
    .filter((todo) => !blocked(todo))
    .flatMap(({ id }) => {
      const below = foundationOf(plan, id);
      const cause = plan.todos.find((other) => below.has(other.id) && blocked(other));
      const message = `todo ${id} can never begin: it stands on ${cause?.id}, which cannot be done`;
      return cause ? [{ code: "plan.unreachable", todo: id, message }] : [];
    });
}

function withoutAcceptance({ id, requirements, acceptance, postconditions = [], metrics = [] }: Todo): PlanProblem[] {
  if (requirements.length + acceptance.length + postconditions.length + metrics.length > 0) return [];
  const message = `nothing says when todo ${id} is done: give it requirements, acceptance, postconditions or metrics`;
  return [{ code: "plan.no-acceptance", todo: id, message }];
}

function requirementProblems({ todos }: Plan, requirements: string[]): PlanProblem[] {
  const assigned = new Set(todos.flatMap((todo) => todo.requirements));
  const unknown = todos.flatMap((todo) =>
    todo.requirements
      .filter((id) => !requirements.includes(id))
      .map((id) => ({
        code: "plan.unknown-requirement",
        todo: todo.id,
        message: `todo ${todo.id} names requirement ${id}, which does not exist`,
      })),
  );
  const without = requirements
    .filter((id) => !assigned.has(id))
    .map((id) => ({ code: "plan.unassigned", todo: "", message: `no todo fulfils requirement ${id}` }));
  return [...unknown, ...without];
}

function collisions(plan: Plan): PlanProblem[] {
  return independentPairs(plan).flatMap(([first, second]) => {
    const place = sharedPlace(first, second);
    const message = `todos ${first.id} and ${second.id} may be worked on at once and both write ${place}: let one depend on the other`;
    return place === undefined ? [] : [{ code: "plan.collision", todo: second.id, message }];
  });
}
