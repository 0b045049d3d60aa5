import { z } from "zod";
import type { TestReport } from "../domain/evidence/test-report.ts";
import { fail } from "../domain/failure.ts";
import type { Language } from "../languages/language.ts";
import type { ProjectCheck } from "../verify/project-checks.ts";
import { findFlaky, runBaseline } from "./gate/run-baseline.ts";
import { surveyChecks } from "./gate/run-checks.ts";
import { confirmed } from "./hands/confirm.ts";
import { enterPhase } from "./hands/enter-phase.ts";
import type { Run } from "./hands/run.ts";
import { Stopped } from "./hands/stop.ts";
import type { FollowedPlan } from "./plan/follow-plan.ts";
import { designContract } from "./planning/design-contract.ts";
import { type PlannedTask, planTask } from "./planning/plan-task.ts";
import { scaffold } from "./planning/scaffold.ts";
import { type Survey, surveyTools, type Tools } from "./planning/survey.ts";
import { withExamples } from "./testing/contract-examples.ts";
import { writeTests } from "./testing/write-tests.ts";

/** From the person's goal to a plan whose tests are written: a plan, a look at the project as it is, tests. */
export async function preparePlan(run: Run, survey: Survey): Promise<FollowedPlan> {
  const planned = await makePlan(run, survey);
  const ground = await takeStock(run, survey, planned);
  return withTests(run, survey, planned, ground);
}

async function makePlan(run: Run, survey: Survey): Promise<PlannedTask> {
  await enterPhase(run, "planning");
  const made = await planTask(run, survey);
  if (run.parts.planOnly) throw new Stopped("planned", "the plan is made");
  const plan = describePlan(made);
  if (!(await confirmed(run, "plan", { plan }, async () => plan))) {
    throw fail("policy", "declined.plan", "the plan was not approved; nothing was changed");
  }
  return designContract(run, survey, made);
}

/** The project before any change. */
interface Ground {
  language: Language;
  tools: Tools;
  baseline: TestReport | null;
  /** Tests that are flaky without any change. */
  quarantined: string[];
  checks: ProjectCheck[];
  /** Where the work begins: the survey, or in an empty directory what was laid out for it. */
  start: Survey;
}

async function takeStock(run: Run, survey: Survey, { spec }: PlannedTask): Promise<Ground> {
  const language = run.parts.languages.named(spec.language);
  const tools = await surveyTools(run, spec.language);
  const baseline = await baselineOf(run, survey, language);
  const quarantined = baseline ? await findFlaky(run, survey.tree, language, baseline) : [];
  const checks = survey.files === 0 ? [] : await surveyChecks(run, survey.tree, language);
  const start = await scaffold(run, survey, language);
  return { language, tools, baseline, quarantined, checks, start };
}

/** In an existing project the suite must run before anything is changed: otherwise nobody can tell what broke. */
async function baselineOf(run: Run, survey: Survey, language: Language): Promise<TestReport | null> {
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

async function withTests(run: Run, survey: Survey, planned: PlannedTask, ground: Ground): Promise<FollowedPlan> {
  const { start, language, tools, checks } = ground;
  const laidOut = survey.files === 0 ? start.paths : [];
  const shown = { ...planned, relevantFiles: [...planned.relevantFiles, ...laidOut] };
  const commands = checks.map(({ command }) => command);
  const written = await writeTests(run, { survey: start, planned: shown, language, tools, checks: commands });
  const tests = await withExamples(run, written, planned, language, start.paths);
  return { ...ground, planned: shown, survey, written, tests, edition: 0, gone: [], unheard: [] };
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
