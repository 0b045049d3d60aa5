import { isOutside, TerminalFailure } from "../domain/failure.ts";
import { isNote } from "../domain/plan/amendment.ts";
import { TASK_STRAND } from "../domain/task/step-path.ts";
import { TaskOutcome } from "../domain/task/task.ts";
import { WITHOUT_SPEC } from "../verify/evidence/evidence-sources.ts";
import { forTester } from "../verify/gate/project-checks.ts";
import { worthKeeping } from "../verify/written-tests/worth-keeping.ts";
import { conclude, type Sources, type TestsOfResult } from "./delivery/conclude.ts";
import { judgeMemory, keepPattern } from "./delivery/remember-task.ts";
import { type Ground, takeStock, whyLifeless } from "./gate/take-stock.ts";
import type { EngineParts } from "./hands/parts.ts";
import { Run } from "./hands/run.ts";
import { type ChangingPlan, followPlan, hearBeforeTests, type PlanOutcome } from "./plan/follow-plan.ts";
import { answerQuestion } from "./planning/answer-question.ts";
import { askRole } from "./planning/ask-role.ts";
import { planTask } from "./planning/plan-task.ts";
import type { PlannedTask } from "./planning/planned-task.ts";
import { projectView, type Survey, surveyedLanguage, surveyProject } from "./planning/survey.ts";
import { withExamples } from "./testing/contract-examples.ts";
import { writeTests } from "./testing/write-tests.ts";
import { firstAttempt } from "./todo/attempt.ts";
import { runDirect } from "./todo/run-direct.ts";
import type { TodoResult } from "./todo/todo-work.ts";

/** One goal, from the person's directory to a verdict: survey → plan → tests → todos → proof → delivery. */
export function runTask(parts: EngineParts): Promise<TaskOutcome> {
  return parts.journal.run(TASK_STRAND, async (strand) => {
    const run = new Run(strand, parts);
    let outcome: TaskOutcome;
    try {
      const survey = await surveyProject(run);
      parts.warden.startFrom(survey.tree);
      const { role, question } = run.request;
      if (question) await answerQuestion(run, survey);
      if (role) await askRole(run, survey, role);
      if (run.settings.direct) outcome = await goDirect(run, survey);
      else {
        const planned = await planTask(run, survey);
        const ground = await takeStock(run, survey, planned.spec.language);
        const heeded = await hearBeforeTests(run, survey, planned, ground);
        const plan = await withTests(run, survey, heeded, ground);
        const followed = await followPlan(run, plan);
        const concluded = await conclude(run, survey, followed.result, sourcesOf(run, followed), testsOf(followed));
        outcome = withLifeless(concluded, survey, ground, followed.result);
        await learnFrom(run, followed, outcome);
      }
    } catch (error) {
      if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
      outcome = { status: "not-proven", tree: null, failure: error.failure };
    }
    await judgeMemory(run);
    return run.step({ kind: "checkpoint", name: "settle", input: outcome, output: TaskOutcome }, async ({ emit }) => {
      emit({ type: "phase-changed", phase: outcome.status, iteration: 0 });
      emit({ type: "task-settled", outcome });
      return outcome;
    });
  });
}

/** What keeps the project's own tests from running is said before whatever else is not proven. */
function withLifeless(outcome: TaskOutcome, survey: Survey, ground: Ground, { gate }: TodoResult): TaskOutcome {
  if (outcome.status !== "not-proven") return outcome;
  const { tools, baseline } = ground;
  const why = whyLifeless({ survey, tools, before: baseline, after: gate?.report ?? null });
  if (why === null) return outcome;
  return { ...outcome, failure: { ...outcome.failure, message: `${why}; ${outcome.failure.message}` } };
}

/** `--direct`: the coder starts at once, and only the accepted commands decide. */
async function goDirect(run: Run, survey: Survey): Promise<TaskOutcome> {
  const work = {
    subject: { kind: "goal" as const },
    base: survey.tree,
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
  return conclude(run, survey, result, { ...WITHOUT_SPEC, baseline: null });
}

/** The tests are written for the plan before any code is. */
async function withTests(run: Run, survey: Survey, planned: PlannedTask, ground: Ground): Promise<ChangingPlan> {
  const { start, language, tools, checks } = ground;
  const laidOut = survey.files === 0 ? start.paths : [];
  const shown = { ...planned, relevantFiles: [...planned.relevantFiles, ...laidOut] };
  const wanted = { survey: start, planned: shown, language, tools, checks: forTester(checks) };
  const written = await writeTests(run, wanted);
  const tests = await withExamples(run, written, planned, language, start.paths);
  return { ...ground, planned: shown, survey, written, tests, edition: 0, gone: [], unheard: [] };
}

function sourcesOf({ settings }: Run, { plan, result, progress, proof }: PlanOutcome): Sources {
  const { spec } = plan.planned;
  const { files, guards, heldOut } = plan.tests;
  const { result: _, unseen: __, ...shownBy } = proof ?? { heldOut, disputes: [], result, unseen: [] };
  return {
    spec,
    tests: files,
    guards,
    baseline: plan.baseline,
    // Nobody has confirmed what was amended later.
    confirmed: settings.confirm.includes("plan") && (spec.amendments ?? []).every(isNote),
    tampering: result.tampering,
    replaced: progress.replaced,
    ...shownBy,
    disputes: [...progress.disputes, ...shownBy.disputes],
  };
}

/** What the result was tested by, for putting it where the project keeps its tests. */
const testsOf = ({ plan, proof }: PlanOutcome): TestsOfResult => ({
  language: plan.language,
  checks: plan.checks,
  visible: plan.tests.files,
  unseen: worthKeeping(proof?.unseen ?? [], proof?.heldOut ?? [], proof?.sharpened?.tests ?? []),
});

/** What was proven becomes a pattern in memory; a change that was never measured is none. */
async function learnFrom(run: Run, { plan, proof }: PlanOutcome, outcome: TaskOutcome): Promise<void> {
  if (!proof?.measured) return;
  const { planned, tests, start } = plan;
  await keepPattern(run, { planned, visible: tests.files, before: start.tree }, outcome);
}
