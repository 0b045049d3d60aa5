import { isOutside, TerminalFailure } from "../domain/failure.ts";
import { isNote } from "../domain/plan/amendment.ts";
import { TaskOutcome } from "../domain/task/task.ts";
import { conclude, type Sources } from "./delivery/conclude.ts";
import { judgeMemory, keepPattern } from "./delivery/remember-task.ts";
import type { EngineParts } from "./hands/parts.ts";
import { Run } from "./hands/run.ts";
import { followPlan, type PlanFollowed } from "./plan/follow-plan.ts";
import { projectView, type Survey, surveyedLanguage, surveyProject } from "./planning/survey.ts";
import { preparePlan } from "./prepare-plan.ts";
import { firstAttempt } from "./todo/attempt.ts";
import { runDirect } from "./todo/run-direct.ts";

/** One goal, from the person's directory to a verdict: survey → plan → tests → todos → proof → delivery. */
export function runTask(parts: EngineParts): Promise<TaskOutcome> {
  return parts.journal.run("task", async (strand) => {
    const run = new Run(strand, parts);
    const outcome = await work(run);
    await judgeMemory(run);
    return run.step({ kind: "checkpoint", name: "settle", input: outcome, output: TaskOutcome }, async ({ emit }) => {
      emit({ type: "phase-changed", phase: outcome.status, iteration: 0 });
      emit({ type: "task-settled", outcome });
      return outcome;
    });
  });
}

async function work(run: Run): Promise<TaskOutcome> {
  try {
    const survey = await surveyProject(run);
    run.parts.warden.startFrom(survey.tree);
    return await (run.settings.direct ? goDirect(run, survey) : goThrough(run, survey));
  } catch (error) {
    if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
    return { status: "not-proven", tree: null, failure: error.failure };
  }
}

/** `--direct`: straight to the coder; the accepted commands alone decide. */
async function goDirect(run: Run, survey: Survey): Promise<TaskOutcome> {
  const work = {
    subject: { kind: "goal" as const },
    small: false,
    project: projectView(survey, {}),
    files: [],
    language: surveyedLanguage(run, survey),
    baseline: null,
    accept: run.settings.accept,
    checks: [],
    quarantined: [],
    whole: false,
  };
  const tests = { files: [], ids: [], guards: [] };
  const attempt = firstAttempt({ reason: "direct", name: "direct", tree: survey.tree, tests });
  const result = await runDirect(run, work, attempt);
  return conclude(run, survey, result, { spec: undefined, tests: [], guards: [], baseline: null });
}

/** A plan and its tests first; then the plan is followed to a proof, and what came of it is concluded. */
async function goThrough(run: Run, survey: Survey): Promise<TaskOutcome> {
  const plan = await preparePlan(run, survey);
  const followed = await followPlan(run, plan);
  const outcome = await conclude(run, survey, followed.result, sourcesOf(run, followed));
  // A change that was never measured is no pattern.
  if (!followed.proof?.measured) return outcome;
  const { planned, tests } = followed.plan;
  return keepPattern(run, { planned, visible: tests.files, before: plan.start.tree }, outcome);
}

function sourcesOf({ settings }: Run, { plan, result, progress, proof }: PlanFollowed): Sources {
  const { spec } = plan.planned;
  const { files, guards, heldOut } = plan.tests;
  const { tester, coder } = settings.models;
  const { result: _, ...shownBy } = proof ?? { heldOut, disputes: [], result };
  return {
    spec,
    tests: files,
    guards,
    baseline: plan.baseline,
    // What was amended since, nobody has looked at.
    confirmed: settings.confirm.includes("plan") && (spec.amendments ?? []).every(isNote),
    sameModel: tester.models[0] === coder.models[0],
    tampering: result.tampering,
    replaced: progress.replaced,
    ...shownBy,
    disputes: [...progress.disputes, ...shownBy.disputes],
  };
}
