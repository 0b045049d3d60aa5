import { z } from "zod";
import { briefAmendment } from "../../agents/briefings/planner.ts";
import { AmendmentResult } from "../../agents/finish.ts";
import { fail, TerminalFailure } from "../../domain/failure.ts";
import { type AmendedSpec, amendedSpec, specProblem } from "../../domain/plan/amend-spec.ts";
import type { ToldMessage } from "../../domain/plan/amendment.ts";
import type { Plan, Todo } from "../../domain/plan/plan.ts";
import { changesOfPlan, changesOfSpec, type PlanChanges } from "../../domain/plan/plan-changes.ts";
import { isAmplyQuoted } from "../../domain/plan/quoted-words.ts";
import type { Spec } from "../../domain/plan/spec.ts";
import { type PlanStand, updatedPlan, updateProblem, withHomes } from "../../domain/plan/update-plan.ts";
import type { HeardMessage } from "../hands/next-message.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { PlannedTask } from "../planning/planned-task.ts";
import { projectView } from "../planning/survey.ts";
import { withdraw } from "../testing/amend-tests.ts";
import { givenTodos } from "./plan-end.ts";
import type { PlanWork } from "./plan-work.ts";

const PLANNER_TURNS = 12;
/** How many characters of a message an error repeats. */
const SHOWN = 80;

export interface AmendedPlan extends AmendedSpec {
  plan: Plan;
}

/**
 * Changes spec and plan as a person's message asks. If the planner finds nothing in the message that a test could show,
 * the message becomes a note for the coder.
 */
export async function amendPlan(
  run: Run,
  work: PlanWork,
  done: ReadonlySet<string>,
  { message, form }: HeardMessage,
): Promise<AmendedPlan> {
  const { planned, start, language, tools } = work;
  const { spec, plan } = planned;
  const answer = await run.ask<{ amendment: AmendmentResult | null }>("planner", {
    name: "amendment",
    briefing: [
      briefAmendment({
        goal: run.request.goal,
        spec,
        words: message.text,
        done: plan.todos.filter(({ id }) => done.has(id)),
        left: plan.todos.filter(({ id }) => !done.has(id)),
        project: projectView(start, tools.versions),
      }),
    ],
    result: AmendmentResult.transform((amendment) => ({ amendment })),
    finish: form,
    workbench: readingBench(run, language, start.tree),
    maxTurns: PLANNER_TURNS,
    // A plain text instead of the form means: the message does not change the spec.
    onText: (text) => (text.trim() === "" ? undefined : { amendment: null }),
    check: async ({ amendment }) =>
      amendment ? problemOf(work, done, givenTodos(run), message, amendment) : undefined,
  });
  // Without an answer the message cannot become a mere note: nobody knows what it asks for, and a proof without it
  // would prove something else.
  if (!answer) throw unfinished(message, run.task);
  const { amendment: result } = answer;
  const unchanged = { requirements: spec.requirements, outOfScope: [] };
  const amended = amendedSpec(spec, message, result ? givenOf(result) : unchanged, isAmplyQuoted);
  const given = givenTodos(run);
  const next = result ? updatedPlan(standOf(plan, done, given, amended), result.todos) : plan;
  const changes = changesFrom(planned, amended.spec, next);
  await announce(run, { ...planned, spec: amended.spec, plan: next }, message.text, changes, amended.amendment);
  return { ...amended, plan: next };
}

const unfinished = ({ text }: ToldMessage, task: string) =>
  fail(
    "invalid-input",
    "amendment.unfinished",
    `the planner could not make “${text.replace(/\s+/g, " ").trim().slice(0, SHOWN)}” part of the plan, so nothing would show it; what was made until then is kept, and \`miracle continue ${task} "…"\` goes on from it`,
  );

const givenOf = ({ requirements, outOfScope, superseded = [] }: AmendmentResult) => ({
  requirements,
  outOfScope,
  superseded,
});

const standOf = (
  plan: Plan,
  done: ReadonlySet<string>,
  given: Todo[],
  { spec, amendment }: AmendedSpec,
): PlanStand => ({
  plan,
  done,
  given,
  requirements: spec.requirements.map(({ id }) => id),
  open: [...amendment.added, ...amendment.changed],
});

function problemOf(
  { planned, tests }: PlanWork,
  done: ReadonlySet<string>,
  given: Todo[],
  message: ToldMessage,
  result: AmendmentResult,
): string | undefined {
  const problem = specProblem(planned.spec, message, result, isAmplyQuoted);
  if (problem !== undefined) return problem;
  try {
    const amended = amendedSpec(planned.spec, message, givenOf(result), isAmplyQuoted);
    const stand = standOf(planned.plan, done, given, amended);
    const plan = updatedPlan(stand, result.todos);
    const { kept } = withdraw(tests, amended.amendment);
    const homes = withHomes([...kept.files, ...kept.heldOutFiles], plan, done);
    return updateProblem(stand, plan) ?? ("problem" in homes ? homes.problem : undefined);
  } catch (error) {
    if (error instanceof TerminalFailure) return error.message;
    if (error instanceof z.ZodError) return z.prettifyError(error);
    throw error;
  }
}

export function changesFrom(before: PlannedTask, spec: Spec, plan: Plan): PlanChanges {
  const requirements = changesOfSpec(before.spec, spec);
  return { ...changesOfPlan(before.plan, plan), requirements };
}

/** Records the plan as it is from now on, and what is different in it. */
export async function announce(
  run: Run,
  { size, spec, plan }: PlannedTask,
  why: string,
  changes: PlanChanges,
  amendment?: AmendedSpec["amendment"],
): Promise<void> {
  const input = { why, changes, size, spec, plan };
  await run.note(
    { kind: "decision", name: "plan-updated", input },
    { type: "plan-updated", why, changes, size, spec, plan, ...(amendment && { amendment }) },
  );
}
