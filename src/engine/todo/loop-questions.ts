import { briefCoder } from "../../agents/briefings/coder.ts";
import { briefReplanner } from "../../agents/briefings/planner.ts";
import { briefReflector } from "../../agents/briefings/reflector.ts";
import { CoderResult, PlannerResult, ReflectorResult } from "../../agents/finish.ts";
import type { ShownFile } from "../../agents/shown-files.ts";
import { type Difficulty, difficultyOf } from "../../domain/plan/difficulty.ts";
import type { TestFile } from "../../domain/plan/test-file.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import { goalBesideSpec } from "../../domain/task/task.ts";
import { readable, whoIs } from "../hands/role-scopes.ts";
import type { Run } from "../hands/run.ts";
import { readingBench, type Workbench } from "../hands/workbench.ts";
import { specOf, type TodoWork, todoOf } from "./todo-work.ts";

const REFLECTOR_TURNS = 8;

/** The state of the loop when a role is asked. */
export interface LoopSnapshot {
  iteration: number;
  /** How many iterations failed before this one. */
  failures: number;
  tree: string;
  /** The given tests. */
  tests: TestFile[];
  /** The red tests in words; empty before the first run. */
  red: string;
  /** The change so far, as a diff. */
  change: string;
  notes: string[];
  /** The text that memory found. */
  recalled: string;
  /** The coder's last summary. */
  said: string;
  onTokens(tokens: number): void;
}

/** Used if the reflector gives no usable answer. */
export const UNEXPLAINED: ReflectorResult = {
  cause: "no cause was found",
  hypothesis: "read the red tests and the code they run again",
  next: "code",
};

/** The approach failed. The planner sees what was tried and suggests another approach. The tests stay. */
export async function askForApproach(
  run: Run,
  work: TodoWork,
  { iteration, tree, red, change, notes, recalled, onTokens }: LoopSnapshot,
): Promise<string | null> {
  const goal = goalBesideSpec(run.request);
  const conclusion = await run.converse("planner", {
    name: iterationStep(iteration, "plan"),
    briefing: [briefReplanner({ spec: specOf(work), goal, project: work.project, change, red, notes, recalled })],
    result: PlannerResult.transform(({ todos }) => todos.map((todo) => todo.title).join("\n")),
    workbench: readingBench(run, work.language, tree),
    maxTurns: REFLECTOR_TURNS,
    onText: (text) => text.trim() || undefined,
    onTokens,
  });
  return conclusion.ended === "turns" ? null : conclusion.result;
}

/** Lets the coder work on the workbench. Returns its summary. */
export async function askCoder(
  run: Run,
  work: TodoWork,
  { iteration, failures, tests, red, change, notes, recalled, onTokens }: LoopSnapshot,
  workbench: Workbench,
): Promise<string> {
  const { request, settings } = run;
  const { project, accept } = work;
  const [spec, todo] = [specOf(work), todoOf(work)];
  const brief = briefCoder({
    goal: goalBesideSpec(request),
    spec,
    todo,
    project,
    files: readable(settings, whoIs("coder", run), work.files),
    accept,
    checks: work.checks.map(({ command }) => command),
    tests: ownTests(work, tests),
    olderTests: todo ? tests.filter((file) => file.todo !== todo.id).map((file) => file.path) : [],
    notes,
    recalled,
    change,
    red,
    attachments: request.attachments,
  });
  const conclusion = await run.converse("coder", {
    name: iterationStep(iteration, "code"),
    briefing: [brief],
    result: CoderResult,
    workbench,
    maxTurns: settings.limits.maxTurns,
    effort: effortOf(work, failures),
    // A text in the first turn is an announcement, not the end of the work.
    onText: (text, turn) => (turn > 1 ? { summary: text } : undefined),
    onTools: (said) => (workbench.isDone ? { summary: said.trim() || "all tests pass" } : undefined),
    onTokens,
  });
  return conclusion.ended === "finished"
    ? conclusion.result.summary
    : `(not finished within ${settings.limits.maxTurns} turns)`;
}

/** Asks why the tests are red. Without an answer the loop continues: the coder sees the red tests anyway. */
export async function askReflector(
  run: Run,
  work: TodoWork,
  { iteration, failures, tree, tests: given, red, change, notes, recalled, said, onTokens }: LoopSnapshot,
): Promise<ReflectorResult> {
  const goal = goalBesideSpec(run.request);
  const [spec, todo] = [specOf(work), todoOf(work)];
  const tests = ownTests(work, given);
  const reflection = await run.ask("reflector", {
    name: iterationStep(iteration, "reflect"),
    briefing: [briefReflector({ spec, todo, goal, tests, change, said, red, notes, recalled })],
    result: ReflectorResult,
    workbench: readingBench(run, work.language, tree),
    maxTurns: REFLECTOR_TURNS,
    effort: effortOf(work, failures),
    onTokens,
  });
  return reflection ?? UNEXPLAINED;
}

/** `failures`: every iteration before this one failed. */
const effortOf = (work: TodoWork, failures: number): { difficulty: Difficulty; failures: number } => ({
  difficulty: difficultyOf({ small: work.small, kind: specOf(work)?.kind, todo: todoOf(work) }),
  failures,
});

function ownTests(work: TodoWork, tests: TestFile[]): ShownFile[] {
  const todo = todoOf(work);
  const own = todo ? tests.filter((file) => file.todo === todo.id) : tests;
  return own.map(({ path, content }) => ({ path, content }));
}
