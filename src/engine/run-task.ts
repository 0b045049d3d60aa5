import { z } from "zod";
import type { TestReport } from "../domain/evidence/test-report.ts";
import { fail, isOutside, TerminalFailure } from "../domain/failure.ts";
import { isNote } from "../domain/plan/amendment.ts";
import { TaskOutcome } from "../domain/task/task.ts";
import type { Language } from "../languages/language.ts";
import { gatherEvidence } from "../verify/evidence/gather-evidence.ts";
import { isProvable, missingProof } from "../verify/evidence/judge-evidence.ts";
import { deliver } from "./delivery/deliver.ts";
import { keepResult } from "./delivery/keep-result.ts";
import { judgeMemory, keepPattern } from "./delivery/remember-task.ts";
import { findFlaky, runBaseline } from "./gate/run-baseline.ts";
import { surveyChecks } from "./gate/run-checks.ts";
import { confirmed } from "./hands/confirm.ts";
import type { EngineParts } from "./hands/parts.ts";
import { Run } from "./hands/run.ts";
import { Stopped } from "./hands/stop.ts";
import { followPlan } from "./plan/follow-plan.ts";
import { designContract } from "./planning/design-contract.ts";
import { type PlannedTask, planTask } from "./planning/plan-task.ts";
import { scaffold } from "./planning/scaffold.ts";
import { projectView, type Survey, surveyedLanguage, surveyProject, surveyTools } from "./planning/survey.ts";
import { withExamples } from "./testing/contract-examples.ts";
import { writeTests } from "./testing/write-tests.ts";
import { runListening } from "./todo/run-direct.ts";
import type { TodoResult } from "./todo/todo-work.ts";

/** One goal, from the person's directory to a verdict: survey → plan → tests → todos → evidence → delivery. */
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
    return run.settings.direct ? await goDirect(run, survey) : await goThrough(run, survey);
  } catch (error) {
    if (!(error instanceof TerminalFailure) || isOutside(error.failure.kind)) throw error;
    return { status: "not-proven", tree: null, failure: error.failure };
  }
}

/** `--direct`: straight to the coder; the accepted commands alone decide. */
async function goDirect(run: Run, survey: Survey): Promise<TaskOutcome> {
  const { accept } = run.settings;
  const language = surveyedLanguage(run, survey);
  const result = await runListening(run, {
    small: false,
    project: projectView(survey, {}),
    files: [],
    language,
    tests: [],
    baseline: null,
    accept,
    tree: survey.tree,
  });
  return conclude(run, survey, result, { spec: undefined, tests: [], guards: [], baseline: null });
}

async function goThrough(run: Run, survey: Survey): Promise<TaskOutcome> {
  await enter(run, "planning");
  const made = await planTask(run, survey);
  if (run.parts.planOnly) throw new Stopped("planned", "the plan is made");
  const plan = describePlan(made);
  if (!(await confirmed(run, "plan", { plan }, async () => plan))) throw declined("plan");
  const planned = await designContract(run, survey, made);
  const language = run.parts.languages.named(planned.spec.language);
  const tools = await surveyTools(run, planned.spec.language);
  const baseline = await baselineOf(run, survey, planned);
  const quarantined = baseline ? await findFlaky(run, survey.tree, language, baseline) : [];
  const checks = survey.files === 0 ? [] : await surveyChecks(run, survey.tree, language);
  const start = await scaffold(run, survey, language);
  const relevant = [...planned.relevantFiles, ...(survey.files === 0 ? start.paths : [])];
  const commands = checks.map(({ command }) => command);
  const shown = { ...planned, relevantFiles: relevant };
  const wanted = { survey: start, planned: shown, language, tools, checks: commands };
  const written = await writeTests(run, wanted);
  const tests = await withExamples(run, written, planned, language, start.paths);
  const first = { planned: shown, survey, start, language, tools, written, tests, baseline, quarantined, checks };
  const { plan: followed, result, progress, proof } = await followPlan(run, first);
  const { settings } = run;
  const { files, guards, heldOut } = followed.tests;
  const { tampering } = result;
  const { spec } = followed.planned;
  const sources = {
    spec,
    tests: files,
    guards,
    baseline,
    // What was amended since, nobody has looked at.
    confirmed: settings.confirm.includes("plan") && (spec.amendments ?? []).every(isNote),
    tampering,
    disputes: progress.disputes,
    replaced: progress.replaced,
  };
  if (!proof) return conclude(run, survey, result, { ...sources, heldOut });
  const { result: _, ...shownBy } = proof;
  const disputes = [...progress.disputes, ...proof.disputes];
  const outcome = await conclude(run, survey, result, { ...sources, ...shownBy, disputes });
  // A change that was never measured is no pattern.
  const about = {
    planned: { ...followed.planned, relevantFiles: planned.relevantFiles },
    visible: files,
    before: start.tree,
  };
  return proof.measured ? keepPattern(run, about, outcome) : outcome;
}

/** In an existing project the suite must run before anything is changed: otherwise nobody can tell what broke. */
async function baselineOf(run: Run, survey: Survey, planned: PlannedTask): Promise<TestReport | null> {
  const language = run.parts.languages.named(planned.spec.language);
  if ((await testFilesOf(run, survey, language)) === 0) return null;
  const report = await runBaseline(run, survey.tree, language);
  if (report.ending === "completed") return report;
  throw fail(
    "invalid-input",
    "baseline.broken",
    `the project's own tests do not come to an end before any change (${report.ending}); mend them first: ${report.command}`,
    { detail: report.output },
  );
}

/** A project of several languages was surveyed for the one it has most of. */
async function testFilesOf(run: Run, survey: Survey, language: Language): Promise<number> {
  if (survey.language === language.name || survey.files === 0) return survey.testFiles;
  const input = { tree: survey.tree, language: language.name };
  return run.step(
    { kind: "tool", name: "count-tests", input, output: z.int() },
    async () => run.parts.artifacts.list(survey.tree).filter((entry) => language.isTestFile(entry.path)).length,
  );
}

type Sources = Omit<Parameters<typeof gatherEvidence>[0], "run">;

/** Turns the last todo's result into the task's: evidence, verdict, delivery. */
async function conclude(run: Run, survey: Survey, result: TodoResult, sources: Sources): Promise<TaskOutcome> {
  const { settled, tree, gate } = result;
  if (!settled.ok) {
    // What is shown of the best attempt: a person may take it all the same.
    await keepResult(run, tree, gate?.tree === tree ? gatherEvidence({ ...sources, run: gate }) : null);
    return { status: "not-proven", tree, failure: settled.failure };
  }
  if (!gate) throw new Error("a todo that is done has been run");
  const evidence = gatherEvidence({ ...sources, run: gate });
  await keepResult(run, tree, evidence);
  const missing = sources.spec && missingProof(evidence, sources.spec.kind, run.settings.mutationScore);
  if (missing) {
    const failure = {
      kind: "spec-mismatch",
      code: "evidence.missing",
      message: `the tests are green, but ${missing}`,
    } as const;
    return { status: "not-proven", tree, failure };
  }
  const proven = sources.spec !== undefined && isProvable(sources.spec.kind, evidence);
  const delivery = await deliver(run, survey.base ?? survey.tree, tree);
  return { status: proven ? "proven" : "checked", tree, delivery };
}

const declined = (subject: string) =>
  fail("policy", `declined.${subject}`, `the ${subject} was not approved; nothing was changed`);

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

/** Phases of the task as a whole, outside of a todo's loop. */
async function enter(run: Run, phase: string): Promise<void> {
  await run.note(
    { kind: "checkpoint", name: "phase", input: { phase } },
    { type: "phase-changed", phase, iteration: 0 },
  );
}
