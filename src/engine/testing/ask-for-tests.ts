import { z } from "zod";
import { briefTester } from "../../agents/briefings/tester.ts";
import { TesterResult } from "../../agents/finish.ts";
import { ShownFile } from "../../agents/shown-files.ts";
import { fail } from "../../domain/failure.ts";
import type { Requirement, Spec } from "../../domain/plan/spec.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import type { Language } from "../../languages/language.ts";
import { testSkeletons } from "../../verify/contract/test-skeletons.ts";
import { BENCHMARK_RULES, benchmarkPath, isBenchmark } from "../../verify/performance/benchmark.ts";
import { type JudgedTests, judgeTests, needsUnseen } from "../../verify/written-tests/judge-tests.ts";
import { isStorablePath } from "../../workspace/left-out.ts";
import { readable, whoIs } from "../hands/role-scopes.ts";
import type { Run } from "../hands/run.ts";
import { readingBench } from "../hands/workbench.ts";
import type { PlannedTask } from "../planning/planned-task.ts";
import { projectView, readShown, type Survey, type Tools } from "../planning/survey.ts";
import { type CheckedBenchmarks, checkBenchmarks } from "./check-benchmarks.ts";
import { examineTests } from "./examine-tests.ts";
import { freePath } from "./free-path.ts";
import { KEPT, withSent } from "./sent-tests.ts";

const TESTER_TURNS = 12;
/** How often tests that could be sharper are sent back. After that they are accepted as they are. */
const PATIENCE = 2;

/** What the tester works from. */
export interface TestsWanted {
  survey: Survey;
  planned: PlannedTask;
  language: Language;
  tools: Tools;
  /** Commands for lint and type check of the project: they read the tests, too. */
  checks?: string[];
}

export interface TestsAsked {
  name: string;
  /** Tests that the coder sees already. */
  visible: TestFile[];
  /** Earlier tests. Given if only held-out tests are wanted. */
  used?: TestFile[];
  /** Files whose names the new tests must not use. */
  taken?: TestFile[];
  /** The suffix of the names that are proposed for new files. */
  suffix?: string;
  /** Requirements that need no new tests. */
  standing?: Requirement[];
}

export async function askForTests(
  run: Run,
  wanted: TestsWanted,
  { name, visible, used, taken = used ?? [], suffix = "", standing = [] }: TestsAsked,
): Promise<{ files: TestFile[]; judged: JudgedTests; speed: CheckedBenchmarks | undefined }> {
  const { survey, planned, language, tools, checks } = wanted;
  const { spec, plan, size } = planned;
  const relevant = await readRelevant(run, survey.tree, planned.relevantFiles);
  const shown = readable(run.settings, whoIs("tester", run), relevant);
  let rejections = 0;
  const asked = new Set<string>();
  let judged: JudgedTests | undefined;
  /** What the tester has sent so far and may stay. */
  let kept: TestFile[] = [];
  let speed: CheckedBenchmarks | undefined;
  const isMeasured = spec.kind === "performance" && used === undefined;
  const examined = async (all: TestFile[]): Promise<string | undefined> => {
    const files = all.filter((file) => !isBenchmark(file.path));
    const examination = await examineTests(run, { tree: survey.tree, language, spec, files, visible });
    const { strangers, refused } = examination;
    if (refused !== undefined) return refused;
    kept = all.filter(({ path }) => !examination.taken.includes(path));
    if (examination.taken.length > 0)
      return `${examination.taken.join(", ")} exists already; existing tests stay as they are, so choose a new name`;
    if (strangers.length > 0)
      return strangers
        .map(({ id, why }) => `${id} imports ${why}, which is neither installed nor in the requirements`)
        .join("\n");
    judged = judgeTests(files, examination, spec);
    if (judged.problems.length > 0) return judged.problems.join("\n");
    const benchmarks = all.filter((file) => isBenchmark(file.path));
    if (isMeasured) speed = await checkBenchmarks(run, survey.tree, { spec, language, files: benchmarks });
    // A question is asked once: whoever sends the same again says that the requirement holds already.
    const open = judged.objections.filter(({ isQuestion, requirement }) => !(isQuestion && asked.has(requirement)));
    for (const { isQuestion, requirement } of open) if (isQuestion) asked.add(requirement);
    const objections = [...open.map(({ text }) => text), ...unmeasuredOf(speed)];
    return rejections < PATIENCE && objections.length > 0 ? objections.join("\n") : undefined;
  };
  const conclusion = await run.converse("tester", {
    name,
    briefing: [
      briefTester({
        spec,
        standing,
        todos: plan.todos,
        size,
        project: projectView(survey, tools.versions, size === "small" && shown.length > 0),
        conventions: conventions(wanted, used?.length ?? 0, suffix) + alsoRead(checks),
        files: shown,
        used: used?.map(({ path, content }) => ({ path, content })) ?? [],
        onlyHeldOut: used !== undefined,
        ...(used === undefined && skeletonsOf(spec)),
      }),
    ],
    result: TesterResult,
    workbench: readingBench(run, language, survey.tree),
    maxTurns: TESTER_TURNS,
    check: async (answer) => {
      const kinds = used === undefined ? "both" : "held-out";
      const sent = withSent(kept, answer);
      const unusable = "problem" in sent ? sent.problem : staticProblem(sent.files, wanted, taken, kinds);
      const problem = unusable ?? ("files" in sent ? await examined(sent.files) : undefined);
      if (problem === undefined) return undefined;
      rejections += 1;
      return kept.length > 0 ? `${problem}\n${KEPT}` : problem;
    },
  });
  if (conclusion.ended === "turns" || !judged) {
    throw fail("invalid-input", "tests.unfinished", `the tester gave no usable tests within ${TESTER_TURNS} turns`);
  }
  return { files: kept.filter((file) => !isBenchmark(file.path)), judged, speed };
}

const unmeasuredOf = (speed: CheckedBenchmarks | undefined): string[] =>
  (speed?.wanted ? speed.unmeasured : []).map(({ why }) => why);

/** Problems of tests that can be found without running them. `any`: no requirement must be covered. */
export function staticProblem(
  files: TestFile[],
  { planned: { spec, plan }, language, survey }: Pick<TestsWanted, "planned" | "language" | "survey">,
  used: TestFile[],
  kinds: "both" | "held-out" | "any",
): string | undefined {
  const todos = new Set(plan.todos.map((todo) => todo.id));
  const requirements = new Set(spec.requirements.map((item) => item.id));
  for (const file of files) {
    if (!isStorablePath(file.path)) return `${file.path} is no path of the project: give it relative to the root`;
    if (!language.isTestFile(file.path) && !(spec.kind === "performance" && isBenchmark(file.path))) {
      return `${file.path} would not be found by the test runner; a path such as ${language.testPath(file.todo, survey.paths)} would`;
    }
    if (!todos.has(file.todo)) return `${file.path}: there is no todo ${file.todo}`;
    const unknown = file.covers.find(({ requirement }) => !requirements.has(requirement));
    if (unknown) return `${file.path}: there is no requirement ${unknown.requirement}`;
    if (used.some((one) => one.path === file.path)) return `${file.path} is taken: choose another name`;
    if (kinds === "held-out" && !file.heldOut) return `${file.path}: only held-out tests are wanted now`;
  }
  const paths = files.map((file) => file.path);
  if (new Set(paths).size < paths.length) return "two files have the same path";
  if (kinds === "any") return undefined;
  const relevant = files.filter((file) => !isBenchmark(file.path) && !(kinds === "both" && file.heldOut));
  const covered = new Set(relevant.flatMap((file) => file.covers.map(({ requirement }) => requirement)));
  const untested = [...requirements].filter((id) => !covered.has(id));
  return untested.length > 0 ? `no ${kinds === "both" ? "visible " : ""}test covers ${untested.join(", ")}` : undefined;
}

function conventions(
  { language, tools, survey, planned: { plan, spec } }: TestsWanted,
  used: number,
  suffix: string,
): string {
  const todos = plan.todos.filter((todo) =>
    todo.requirements.some((id) => spec.requirements.some((item) => item.id === id)),
  );
  const places = todos.map((todo) => {
    const unseen = freePath(`${todo.id}-unseen${used > 0 ? `-${used}` : ""}${suffix}`, language, survey.paths);
    if (used > 0) return `${todo.id}: held-out ${unseen}`;
    const place = spec.kind === "performance" ? benchmarkPath(language.name, `${todo.id}${suffix}`) : null;
    const benchmark = place === null ? "" : `, benchmark ${place}`;
    return `${todo.id}: ${freePath(`${todo.id}${suffix}`, language, survey.paths)}${needsUnseen(spec) ? `, held-out ${unseen}` : ""}${benchmark}`;
  });
  if (spec.kind === "performance" && used === 0 && benchmarkPath(language.name, "any") !== null)
    places.push(BENCHMARK_RULES);
  const advice = language.advice?.(tools.testCommand) ?? "";
  return `Tests are run in the project's root with: ${tools.testCommand}${advice && `\n${advice}`}\nTest file of each todo:\n${places.join("\n")}`;
}

const alsoRead = (checks: string[] = []): string =>
  checks.length === 0 ? "" : `\nThe project is also checked, tests included, with:\n${checks.join("\n")}`;

const skeletonsOf = ({ contract, requirements, language }: Spec): { skeletons?: string } =>
  contract ? { skeletons: testSkeletons(contract, requirements, language) } : {};

/** The files that the planner named, so that the tester need not spend turns on reading them. */
async function readRelevant(run: Run, tree: string, paths: string[]): Promise<ShownFile[]> {
  if (paths.length === 0) return [];
  const shape = { kind: "tool", name: "relevant-files", input: { tree, paths }, output: z.array(ShownFile) } as const;
  return run.step(shape, async () => readShown(run.parts.artifacts, tree, paths));
}
