import { briefCoder } from "../../agents/briefings/coder.ts";
import { briefReplanner } from "../../agents/briefings/planner.ts";
import { briefReflector } from "../../agents/briefings/reflector.ts";
import { CoderResult, PlannerResult, ReflectorResult } from "../../agents/finish.ts";
import type { ShownFile } from "../../agents/shown-files.ts";
import { TerminalFailure } from "../../domain/failure.ts";
import { type Difficulty, difficultyOf } from "../../domain/plan/difficulty.ts";
import { iterationStep } from "../../domain/task/step-path.ts";
import { goalBesideSpec } from "../../domain/task/task.ts";
import type { Strand } from "../../journal/strand.ts";
import { askRole } from "../hands/ask-role.ts";
import type { EngineParts } from "../hands/parts.ts";
import { readable, whoIs } from "../hands/role-scopes.ts";
import { Workbench } from "../hands/workbench.ts";
import type { TodoWork } from "./todo-work.ts";

const REFLECTOR_TURNS = 8;

/** Where the loop stands when a role is asked. */
export interface Standing {
  iteration: number;
  /** Iterations that failed before this one. */
  failures: number;
  tree: string;
  /** What is red, in words; empty while nothing was run. */
  red: string;
  /** It is what a reader of the change found. */
  isReview?: boolean;
  /** The change so far, as a diff. */
  change: string;
  notes: string[];
  /** What memory had to say. */
  recalled: string;
  /** What the coder said last. */
  said: string;
  onTokens(tokens: number): void;
}

/** In the place of a reflection that gave nothing. */
export const UNEXPLAINED: ReflectorResult = {
  cause: "no cause was found",
  hypothesis: "read the red tests and the code they run again",
  next: "code",
};

/** The approach did not work: the planner, who sees what was tried, says how else to go about it. The tests stay. */
export async function askForApproach(
  strand: Strand,
  parts: EngineParts,
  { spec, project, language }: TodoWork,
  { iteration, tree, red, change, notes, recalled, onTokens }: Standing,
): Promise<string | null> {
  const goal = goalBesideSpec(parts.journal.frozen.request);
  const conclusion = await askRole(parts, {
    strand,
    name: iterationStep(iteration, "plan"),
    role: "planner",
    briefing: [briefReplanner({ spec, goal, project, change, red, notes, recalled })],
    result: PlannerResult.transform(({ todos }) => todos.map((todo) => todo.title).join("\n")),
    workbench: new Workbench(parts, "read", language, tree, []),
    maxTurns: REFLECTOR_TURNS,
    onText: (text) => text.trim() || undefined,
    onTokens,
  });
  return conclusion.ended === "turns" ? null : conclusion.result;
}

/** The coder at work on the workbench. Returns what it says of it. */
export async function askCoder(
  strand: Strand,
  parts: EngineParts,
  work: TodoWork,
  { iteration, failures, red, change, notes, recalled, onTokens }: Standing,
  workbench: Workbench,
): Promise<string> {
  const { request, settings } = parts.journal.frozen;
  const { spec, todo, project, accept, tests } = work;
  const brief = briefCoder({
    goal: goalBesideSpec(request),
    spec,
    todo,
    project,
    files: readable(settings, whoIs("coder", strand), work.files),
    accept,
    checks: work.checks?.map(({ command }) => command),
    tests: ownTests(work),
    olderTests: todo ? tests.filter((file) => file.todo !== todo.id).map((file) => file.path) : [],
    notes,
    recalled,
    change,
    red,
    attachments: request.attachments,
  });
  const conclusion = await askRole(parts, {
    strand,
    name: iterationStep(iteration, "code"),
    role: "coder",
    briefing: [brief],
    result: CoderResult,
    workbench,
    maxTurns: settings.limits.maxTurns,
    attempt: attemptOf(work, failures),
    // Words before anything was done are an announcement, not an end.
    onText: (text, turn) => (turn > 1 ? { summary: text } : undefined),
    onTokens,
  });
  return conclusion.ended === "finished"
    ? conclusion.result.summary
    : `(not finished within ${settings.limits.maxTurns} turns)`;
}

/** Why it is red. A model that cannot say why is no reason to stop: the coder sees the red tests all the same. */
export async function askReflector(
  strand: Strand,
  parts: EngineParts,
  work: TodoWork,
  { iteration, failures, tree, red, isReview = false, change, notes, recalled, said, onTokens }: Standing,
): Promise<ReflectorResult> {
  const goal = goalBesideSpec(parts.journal.frozen.request);
  const { spec, todo } = work;
  const tests = ownTests(work);
  const conclusion = await askRole(parts, {
    strand,
    name: iterationStep(iteration, "reflect"),
    role: "reflector",
    briefing: [briefReflector({ spec, todo, goal, tests, change, said, red, isReview, notes, recalled })],
    result: ReflectorResult,
    workbench: new Workbench(parts, "read", work.language, tree, []),
    maxTurns: REFLECTOR_TURNS,
    attempt: attemptOf(work, failures),
    onTokens,
  }).catch((error: unknown) => {
    if (isUnusable(error)) return { ended: "finished" as const, result: UNEXPLAINED };
    throw error;
  });
  return conclusion.ended === "finished" ? conclusion.result : UNEXPLAINED;
}

/** The model gave nothing that could be used. */
export const isUnusable = (error: unknown): error is TerminalFailure =>
  error instanceof TerminalFailure && error.failure.code === "model.invalid-output";

/** Every iteration before this one failed. */
const attemptOf = (
  { small, spec, todo }: TodoWork,
  failures: number,
): { difficulty: Difficulty; failures: number } => ({
  difficulty: difficultyOf({ small, kind: spec?.kind, todo }),
  failures,
});

function ownTests({ todo, tests }: TodoWork): ShownFile[] {
  const own = todo ? tests.filter((file) => file.todo === todo.id) : tests;
  return own.map(({ path, content }) => ({ path, content }));
}
