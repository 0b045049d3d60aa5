import type { Failure } from "../../domain/failure.ts";
import { type Amendment, isNote } from "../../domain/plan/amendment.ts";
import type { GoalSize, Plan } from "../../domain/plan/plan.ts";
import { updatedPlan } from "../../domain/plan/update-plan.ts";
import { forTester } from "../../verify/gate/project-checks.ts";
import type { Ground } from "../gate/take-stock.ts";
import { enterPhase } from "../hands/enter-phase.ts";
import { type HeardMessage, hasMessage, nextMessage } from "../hands/next-message.ts";
import type { Run } from "../hands/run.ts";
import { designContract } from "../planning/design-contract.ts";
import { confirmPlan } from "../planning/plan-task.ts";
import type { PlannedTask } from "../planning/planned-task.ts";
import type { Survey } from "../planning/survey.ts";
import { type ChangeProof, proveChange } from "../proof/prove-change.ts";
import { failureAlone } from "../proof/prove-unseen.ts";
import { amendTests, withdraw } from "../testing/amend-tests.ts";
import { withExamples } from "../testing/contract-examples.ts";
import { forAnotherChange, inNewHomes, pathsTakenBack } from "../testing/moved-tests.ts";
import type { WrittenTests } from "../testing/written-tests.ts";
import { withRewritten } from "../testing/written-tests.ts";
import { problemOf } from "../todo/replan.ts";
import type { TodoResult, Yielded } from "../todo/todo-work.ts";
import { amendPlan, announce, changesFrom } from "./amend-plan.ts";
import { givenTodos, type PlanEnd } from "./plan-end.ts";
import { PlanProgress } from "./plan-progress.ts";
import { type PlanWork, withRewrites } from "./plan-work.ts";
import { runPlan } from "./run-plan.ts";

export interface ChangingPlan extends PlanWork {
  /** The project as it was found; a contract is designed for it. */
  survey: Survey;
  /** The tester's tests, without those made from the examples of a contract. */
  written: WrittenTests;
}

/** The plan as it was in the end, with what came of it; the proof is absent where a todo failed. */
export interface PlanOutcome {
  plan: ChangingPlan;
  result: TodoResult;
  progress: PlanProgress;
  proof?: ChangeProof;
}

/**
 * Leads from the tests to a proven change, by a plan that may change on the way. A person's message is heard before
 * anything is begun, between the iterations of todos, and before the end. A planner may change the rest of the plan.
 * Each change makes another edition of the plan, which continues from what exists.
 */
export async function followPlan(run: Run, first: ChangingPlan): Promise<PlanOutcome> {
  const progress = new PlanProgress(first.start.tree);
  const { planUpdates } = run.settings.limits;
  let plan = first;
  let updates = 0;
  for (;;) {
    for (let heard = await nextMessage(run); heard; heard = await nextMessage(run)) {
      const amended = await amend(run, plan, progress, heard).catch(failureAlone);
      if ("failure" in amended) return { plan, result: unfinished(progress, amended.failure), progress };
      plan = amended;
    }
    const end = await runPlan(run, plan, { progress, updatable: updates < planUpdates });
    plan = takeRewrites(plan, progress);
    const next = { ...plan, unheard: [], edition: plan.edition + 1 };
    if (end.interrupted) {
      const { update } = end.interrupted;
      if (update) updates += 1;
      plan = update ? await changePlan(run, next, progress, update) : next;
      continue;
    }
    const isDone = plan.planned.plan.todos.every(({ id }) => progress.results.has(id));
    if (isDone) progress.gather(end.result.tree);
    if (await hasMessage(run)) {
      plan = next;
      continue;
    }
    if (!end.result.settled.ok) return { plan, result: end.result, progress };
    const proof = await prove(run, plan, end);
    if (!(await hasMessage(run))) return { plan, result: proof.result, progress, proof };
    // This proof was not the last one, but its work and its rulings belong to the evidence.
    progress.note({ ...proof.result, disputes: proof.disputes, spent: [], rewritten: [] });
    progress.gather(proof.result.tree);
    const { written, tests } = next;
    const { heldOut } = proof;
    plan = { ...next, written: forAnotherChange(written, heldOut), tests: forAnotherChange(tests, heldOut) };
  }
}

async function prove(run: Run, plan: ChangingPlan, { result, begun }: PlanEnd): Promise<ChangeProof> {
  const { tests, baseline, quarantined, start, edition, planned } = plan;
  await enterPhase(run, "proving");
  const { files, ids, guards } = tests;
  return proveChange(run, {
    wanted: { ...plan, survey: start, checks: forTester(plan.checks) },
    tests,
    result,
    work: { ...begun.work, subject: { kind: "plan", spec: planned.spec } },
    // The current tests: the last todo may have had some of them rewritten.
    attempt: { ...begun.attempt, tests: { files, ids, guards } },
    baseline,
    quarantined,
    edition,
  });
}

/** The tester gave no tests for the person's message, so nothing can show it. The work up to here is kept. */
function unfinished({ begun, tree }: PlanProgress, failure: Failure): TodoResult {
  const [last] = [...begun.values()].reverse();
  return { settled: { ok: false, failure }, tree: last?.tree ?? tree, iterations: [], gate: null, tampering: [] };
}

/** The plan's own from now on: a later edition may have others in their place. */
function takeRewrites(plan: ChangingPlan, progress: PlanProgress): ChangingPlan {
  const rewritten = progress.rewritten.splice(0);
  const { contract } = progress;
  progress.contract = undefined;
  const now = withRewrites(plan, { rewritten, contract });
  return rewritten.length === 0 ? now : { ...now, written: withRewritten(plan.written, rewritten) };
}

/**
 * What the person said of the plan, or meanwhile, is heard before any test is written for what they want otherwise. Who
 * wants to be asked about the plan is asked again when it has changed.
 */
export async function hearBeforeTests(
  run: Run,
  survey: Survey,
  planned: PlannedTask,
  ground: Ground,
): Promise<PlannedTask> {
  let now = planned;
  for (;;) {
    let isChanged = false;
    for (let heard = await nextMessage(run); heard; heard = await nextMessage(run)) {
      const work = { ...ground, planned: now, survey, tests: NO_TESTS, edition: 0, gone: [], unheard: [] };
      const { planned: next, amendment } = await amendPlanned(run, work, new Set(), heard);
      now = next;
      isChanged ||= !isNote(amendment);
    }
    // Recordings that were made before a changed plan was asked about again have no such question.
    if (!isChanged || !(run.isNext("confirm-plan") ?? true)) return now;
    await confirmPlan(run, now);
  }
}

/** The person's words become part of the spec: tests first, then the plan, then the coder goes on. */
async function amend(run: Run, work: ChangingPlan, { done }: PlanProgress, heard: HeardMessage): Promise<ChangingPlan> {
  const { start, language, tools, written, tests, gone } = work;
  const { planned, amendment } = await amendPlanned(run, work, done, heard);
  if (isNote(amendment)) {
    const isLeft = planned.plan.todos.some(({ id }) => !done.has(id));
    const unheard = isLeft ? [] : [`The person says, now that everything is done:\n${amendment.words}`];
    return withTests({ ...work, planned, unheard: [...work.unheard, ...unheard] }, done, written, tests);
  }
  const wanted = { survey: start, planned, language, tools, checks: forTester(work.checks) };
  const again = await amendTests(run, wanted, withdraw(written, amendment));
  const examples = await withExamples(run, again, planned, language, start.paths);
  const takenBack = pathsTakenBack(gone, tests, examples);
  return withTests({ ...work, planned, gone: takenBack }, done, again, examples);
}

/** The spec and the plan as the person's words want them; a contract is designed anew for another spec. */
async function amendPlanned(
  run: Run,
  work: PlanWork & Pick<ChangingPlan, "survey">,
  done: ReadonlySet<string>,
  heard: HeardMessage,
): Promise<{ planned: PlannedTask; amendment: Amendment }> {
  const { spec, plan, amendment } = await amendPlan(run, work, done, heard);
  const planned = { ...work.planned, size: sizeOf(plan, work.planned.size), spec, plan };
  if (isNote(amendment) || !spec.contract) return { planned, amendment };
  const { contract: _, ...bare } = spec;
  return { planned: await designContract(run, work.survey, { ...planned, spec: bare }), amendment };
}

const NO_TESTS: WrittenTests = { files: [], guards: [], ids: [], heldOutFiles: [], heldOut: [] };

function withTests(
  work: ChangingPlan,
  done: ReadonlySet<string>,
  written: WrittenTests,
  tests: WrittenTests,
): ChangingPlan {
  const { plan } = work.planned;
  return { ...work, written: inNewHomes(written, plan, done), tests: inNewHomes(tests, plan, done) };
}

/** Accepts a planner's new plan if it still fits what is done by now. */
async function changePlan(
  run: Run,
  work: ChangingPlan,
  { done }: PlanProgress,
  update: NonNullable<Yielded["update"]>,
): Promise<ChangingPlan> {
  const { planned, tests, written } = work;
  const requirements = planned.spec.requirements.map(({ id }) => id);
  const files = [...tests.files, ...tests.heldOutFiles];
  const stand = { plan: planned.plan, done, requirements, given: givenTodos(run), tests: files };
  if (problemOf(stand, update) !== undefined) return work;
  const plan = updatedPlan(stand, update.todos);
  const changed = { ...planned, plan, size: sizeOf(plan, planned.size) };
  const { requirements: _, ...changes } = changesFrom(planned, planned.spec, plan);
  await announce(run, changed, update.why, changes);
  return withTests({ ...work, planned: changed }, done, written, tests);
}

const sizeOf = ({ todos }: Plan, size: GoalSize): GoalSize => (todos.length > 1 ? "large" : size);
