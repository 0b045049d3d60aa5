import { z } from "zod";
import { briefTester } from "../agents/briefing.ts";
import { TesterResult } from "../agents/finish.ts";
import { ShownFile } from "../agents/shown-files.ts";
import { fail } from "../domain/failure.ts";
import { changesBehaviour } from "../domain/spec.ts";
import { TestFile } from "../domain/test-file.ts";
import type { Strand } from "../journal/strand.ts";
import type { Language } from "../languages/language.ts";
import { checkRed } from "../verify/red-check.ts";
import { isStorablePath } from "../workspace/left-out.ts";
import { askRole } from "./ask-role.ts";
import type { EngineParts } from "./parts.ts";
import type { PlannedTask } from "./plan-task.ts";
import { readable, whoIs } from "./role-scopes.ts";
import { runOnBase } from "./run-gate.ts";
import { projectView, readShown, type Survey, type Tools } from "./survey.ts";
import { Workbench } from "./workbench.ts";

export const WrittenTests = z.object({
  files: z.array(TestFile),
  /** Passed before the change already; they support no requirement. */
  guards: z.array(z.string()),
});
export type WrittenTests = z.infer<typeof WrittenTests>;

const TESTER_TURNS = 12;

/** The tester writes from spec and base tree alone; its tests are accepted once they are red in the right way. */
export async function writeTests(
  strand: Strand,
  parts: EngineParts,
  survey: Survey,
  planned: PlannedTask,
  language: Language,
  tools: Tools,
): Promise<WrittenTests> {
  const { spec, plan, size } = planned;
  const relevant = await readRelevant(strand, parts, survey.tree, planned.relevantFiles);
  const files = readable(parts.journal.frozen.settings, whoIs("tester", strand), relevant);
  let guards: string[] = [];
  let objectedToGuards = false;
  const conclusion = await askRole(parts, {
    strand,
    name: "tests",
    role: "tester",
    briefing: [
      briefTester({
        spec,
        todos: plan.todos,
        size,
        project: projectView(survey, tools.versions, size === "small" && files.length > 0),
        conventions: conventions(language, tools, survey, planned),
        files,
      }),
    ],
    result: TesterResult,
    workbench: new Workbench(parts, "read", language, survey.tree, []),
    maxTurns: TESTER_TURNS,
    check: async ({ files }) => {
      const problem = staticProblem(files, planned, language, survey);
      if (problem !== undefined) return problem;
      const { report, taken, refused } = await runOnBase(strand, parts, survey.tree, language, files);
      if (refused !== undefined) return refused;
      if (taken.length > 0)
        return `${taken.join(", ")} exists already; existing tests stay as they are, so choose a new name`;
      const checked = checkRed(files, report);
      if (checked.problems.length > 0) return checked.problems.join("\n");
      guards = checked.guards;
      // Once: a requirement may hold already, and then its test is a guard. The tester knows better than we do.
      const unsupported = unsupportedRequirements(files, guards);
      if (changesBehaviour(spec.kind) && unsupported.length > 0 && !objectedToGuards) {
        objectedToGuards = true;
        return `${guards.join(", ")} pass before any change, so they cannot show that ${unsupported.join(", ")} was done; sharpen them, or send them again if the requirement truly holds already`;
      }
      return undefined;
    },
  });
  if (conclusion.ended === "turns") {
    throw fail("invalid-input", "tests.unfinished", `the tester gave no usable tests within ${TESTER_TURNS} turns`);
  }
  const { files: tests } = conclusion.result;
  if (
    changesBehaviour(spec.kind) &&
    tests.every((file) => file.covers.every(({ test }) => guards.includes(`${file.path}::${test}`)))
  ) {
    throw fail(
      "spec-mismatch",
      "tests.not-red",
      "every test passes before any change: the goal seems to be reached already, or the tests cannot show it",
    );
  }
  const written: WrittenTests = { files: tests, guards };
  await strand.step(
    { kind: "checkpoint", name: "tests-written", input: written, output: z.null() },
    async ({ emit }) => {
      const count = tests.reduce((sum, file) => sum + file.covers.length, 0);
      emit({ type: "tests-written", files: tests.map((file) => file.path), tests: count });
      return null;
    },
  );
  return written;
}

function staticProblem(
  files: TestFile[],
  { spec, plan }: PlannedTask,
  language: Language,
  survey: Survey,
): string | undefined {
  const todos = new Set(plan.todos.map((todo) => todo.id));
  const requirements = new Set(spec.requirements.map((item) => item.id));
  for (const file of files) {
    if (!isStorablePath(file.path)) return `${file.path} is no path of the project: give it relative to the root`;
    if (!language.isTestFile(file.path)) {
      return `${file.path} would not be found by the test runner; a path such as ${language.testPath(file.todo, survey.paths)} would`;
    }
    if (!todos.has(file.todo)) return `${file.path}: there is no todo ${file.todo}`;
    const unknown = file.covers.find(({ requirement }) => !requirements.has(requirement));
    if (unknown) return `${file.path}: there is no requirement ${unknown.requirement}`;
  }
  const paths = files.map((file) => file.path);
  if (new Set(paths).size < paths.length) return "two files have the same path";
  const covered = new Set(files.flatMap((file) => file.covers.map(({ requirement }) => requirement)));
  const untested = [...requirements].filter((id) => !covered.has(id));
  return untested.length > 0 ? `no test covers ${untested.join(", ")}` : undefined;
}

/** Requirements whose every test passed before the change. */
function unsupportedRequirements(files: TestFile[], guards: string[]): string[] {
  const entries = files.flatMap((file) =>
    file.covers.map((cover) => ({ ...cover, id: `${file.path}::${cover.test}` })),
  );
  const all = new Set(entries.map((entry) => entry.requirement));
  const supported = new Set(entries.filter((entry) => !guards.includes(entry.id)).map((entry) => entry.requirement));
  return [...all].filter((id) => !supported.has(id)).sort();
}

function conventions(language: Language, tools: Tools, survey: Survey, { plan }: PlannedTask): string {
  const places = plan.todos.map((todo) => `${todo.id}: ${language.testPath(todo.id, survey.paths)}`);
  return `Tests are run in the project's root with: ${tools.testCommand}\nTest file of each todo:\n${places.join("\n")}`;
}

/** The files triage named, so that the tester need not spend turns on reading them. */
async function readRelevant(strand: Strand, parts: EngineParts, tree: string, paths: string[]): Promise<ShownFile[]> {
  if (paths.length === 0) return [];
  const shape = { kind: "tool", name: "relevant-files", input: { tree, paths }, output: z.array(ShownFile) } as const;
  return strand.step(shape, async () => readShown(parts.artifacts, tree, paths));
}
