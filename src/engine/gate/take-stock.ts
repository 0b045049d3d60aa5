import { z } from "zod";
import type { TestReport } from "../../domain/evidence/test-report.ts";
import { fail } from "../../domain/failure.ts";
import type { LanguageName } from "../../domain/plan/spec.ts";
import type { Language } from "../../languages/language.ts";
import { ownModules } from "../../verify/gate/absent-thing.ts";
import type { ProjectCheck } from "../../verify/gate/project-checks.ts";
import { describeProblem, suiteProblem, triedPackages } from "../../verify/gate/suite-problem.ts";
import type { Run } from "../hands/run.ts";
import { scaffold } from "../planning/scaffold.ts";
import { type Survey, surveyTools, type Tools } from "../planning/survey.ts";
import { findFlaky, runBaseline } from "./run-baseline.ts";
import { languageChecks, surveyChecks } from "./run-checks.ts";

/** What is known of the project before any change. */
export interface Ground {
  language: Language;
  tools: Tools;
  baseline: TestReport | null;
  /** Tests that are flaky without any change. */
  quarantined: string[];
  checks: ProjectCheck[];
  /** Where the work begins: the survey or, in an empty directory, its scaffold. */
  start: Survey;
}

/** Examines the project before the change, so that old faults are not blamed on the change. */
export async function takeStock(run: Run, survey: Survey, name: LanguageName): Promise<Ground> {
  const language = run.parts.languages.named(name);
  const tools = await surveyTools(run, name, survey.tree);
  const baseline = await baselineOf(run, survey, language, tools);
  const quarantined = baseline ? await findFlaky(run, survey.tree, language, baseline) : [];
  const own = survey.files === 0 ? [] : await surveyChecks(run, survey.tree, language);
  const start = await scaffold(run, survey, language);
  // A README or instructions for agents make no project yet.
  const isNew = survey.language === null && own.length === 0 && run.settings.checks === "language";
  const checks = isNew ? await languageChecks(run, start.tree, language) : own;
  return { language, tools, baseline, quarantined, checks, start };
}

/** In an existing project the suite must run before anything changes: otherwise nobody can tell what broke. */
async function baselineOf(run: Run, survey: Survey, language: Language, tools: Tools): Promise<TestReport | null> {
  if ((await testFilesOf(run, survey, language)) === 0) return null;
  const problemOf = (report: TestReport) => whyLifeless({ survey, tools, before: report, after: report });
  const report = await runBaseline(run, survey.tree, language, problemOf);
  if (report.ending === "completed") return report;
  const what =
    problemOf(report) ?? `the project's own tests do not come to an end before any change (${report.ending})`;
  throw fail("invalid-input", "baseline.broken", `${what}; mend them first: ${report.command}`, {
    detail: report.output,
  });
}

/** Why the project's own tests do not come to life here, neither before nor after the change; null: they do. */
export function whyLifeless({ survey, tools, before, after }: Lifeless): string | null {
  const old = new Set(before?.tests.map(({ file }) => file));
  // Where nothing ran after the change, what was before it stands.
  const now = after ? { ...after, tests: after.tests.filter(({ file }) => old.has(file)) } : before;
  const problem = suiteProblem(before, now, ownModules(survey.paths));
  const { missing } = tools.versions;
  return problem && describeProblem(problem, triedPackages(tools.versions, missing === undefined ? [] : [missing]));
}

interface Lifeless {
  survey: Pick<Survey, "paths">;
  tools: Tools;
  before: TestReport | null;
  after: TestReport | null;
}

/** In a project of several languages, the survey counted test files only for the most frequent language. */
async function testFilesOf(run: Run, survey: Survey, language: Language): Promise<number> {
  if (survey.language === language.name || survey.files === 0) return survey.testFiles;
  const input = { tree: survey.tree, language: language.name };
  return run.step(
    { kind: "tool", name: "count-tests", input, output: z.int() },
    async () => run.parts.artifacts.list(survey.tree).filter((entry) => language.isTestFile(entry.path)).length,
  );
}
