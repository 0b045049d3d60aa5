import { z } from "zod";
import { briefDebugger } from "../../agents/briefings/debugger.ts";
import { DebuggerResult } from "../../agents/finish.ts";
import { AT_FAULT, type BranchTodo, isDebuggable, routeBranch } from "../../domain/plan/branch.ts";
import { debugStrand } from "../../domain/task/step-path.ts";
import { goalBesideSpec } from "../../domain/task/task.ts";
import { bounded } from "../gate/describe-red.ts";
import type { Run } from "../hands/run.ts";
import { Workbench } from "../hands/workbench.ts";
import { type Attempt, nextAttempt, withNote } from "../todo/attempt.ts";
import { runTodo } from "../todo/run-todo.ts";
import type { TodoGuard } from "../todo/todo-limits.ts";
import type { PlannedTodo, TodoResult, Worked } from "../todo/todo-work.ts";
import { answerClaim } from "./answer-claim.ts";
import { diagnose, unsaid } from "./diagnose.ts";
import { debuggerSays, runCandidates } from "./run-candidates.ts";

const DEBUGGER_TURNS = 20;

/** A todo with a failed attempt, and the strand of that attempt. */
export interface StuckTodo {
  name: string;
  work: PlannedTodo;
  attempt: Attempt;
  /** The limits of the todo: they bound what follows on the attempt, too. */
  guard: TodoGuard;
}

/**
 * A todo that stays red gets a temporary branch todo. The debugger finds the cause on the best attempt. Then the coder
 * continues from there with its instructions, against the parent's own tests. If a test is shown to be at fault, the
 * tester rewrites it first. So when the branch is green, its parent is green.
 */
export async function branchTodo(run: Run, stuck: StuckTodo, failed: Worked, depth = 1): Promise<Worked> {
  const worked = await branchOnce(run, stuck, failed, depth);
  const { settled } = worked.result;
  // What the first debugger found did not help. The next one looks at what came of it, as deep as the limit lets.
  if (settled.ok || worked.finding === undefined || depth >= (run.settings.limits.branchDepth ?? 1)) return worked;
  return branchTodo(run, { ...stuck, name: debugStrand(stuck.name) }, worked, depth + 1);
}

async function branchOnce(
  run: Run,
  stuck: StuckTodo,
  { result: failed, head, finding }: Worked,
  depth: number,
): Promise<Worked> {
  const { name, work, attempt, guard } = stuck;
  const { limits, recovery } = run.settings;
  const known = finding === undefined ? {} : { finding };
  const maxIterations = work.subject.todo.debugAttempts ?? limits.debugAttempts;
  if (failed.settled.ok || maxIterations === 0 || !isDebuggable(failed.settled.failure))
    return { result: failed, head, ...known };
  return run.child(debugStrand(name), async (run) => {
    const found = await askDebugger(run, stuck, { result: failed, head });
    if (!found) return { result: failed, head: run.head, ...known };
    const { todo, spec } = work.subject;
    const branch: BranchTodo = {
      id: depth === 1 ? `${todo.id}-debug` : `${todo.id}-debug-${depth}`,
      parent: todo.id,
      reason: found.cause,
      finding: found.finding,
      instructions: found.instructions,
      maxAttempts: maxIterations,
    };
    await run.note(
      { kind: "decision", name: "branch", input: { branch, tree: failed.tree } },
      { type: "todo-branched", branch },
    );
    const ended = (result: TodoResult): Worked => ({ result, head: run.head, finding: branch.finding });
    const { red } = diagnose(failed);
    const next = nextAttempt(attempt, { reason: "debug", name: branch.id, failed, red, maxIterations });
    const powers = { rewrites: recovery.rewrite, contract: spec.contract !== undefined };
    const route = routeBranch(branch.reason, powers);
    if (route.to === "nobody") return ended(blaming(failed, branch));
    const about = { work, attempt: next, failed, branch, named: found.tests };
    const answer = route.to === "tester" ? await answerClaim(run, { ...about, shownBy: route.shownBy }) : null;
    if (answer?.at === "end") return ended({ ...blaming(failed, branch, answer.why), ...answer.also });
    const instructions = [branch.instructions, ...found.alternatives].slice(0, answer ? 1 : limits.candidates);
    const note = answer?.note ?? debuggerSays(branch.instructions);
    const result =
      instructions.length > 1
        ? await runCandidates(run, { name, branch, work, attempt, guard, failed, red, instructions })
        : await runTodo(run, answer?.work ?? work, withNote(answer?.attempt ?? next, note), { guard });
    await settleBranch(run, branch, result);
    const iterations = [...failed.iterations, ...result.iterations];
    const tampering = [...failed.tampering, ...result.tampering];
    return ended({ ...result, iterations, tampering, ...answer?.also });
  });
}

/** The failed result, with the debugger's finding as the reason. */
function blaming(failed: TodoResult, { parent, reason, finding }: BranchTodo, contract?: string): TodoResult {
  const message =
    contract === undefined
      ? `todo ${parent} stays red because of its tests: ${finding}`
      : `todo ${parent} stays red because the contract goes against the requirements: ${contract}`;
  return { ...failed, settled: { ok: false, failure: { ...AT_FAULT[reason], message } } };
}

/** Null if the debugger has no usable answer. Then the todo keeps its old failure. */
async function askDebugger(
  run: Run,
  { work, attempt }: StuckTodo,
  { result: failed, head }: Worked,
): Promise<DebuggerResult | null> {
  const goal = goalBesideSpec(run.request);
  const { log, ...diagnosis } = diagnose(failed);
  const { todo, spec } = work.subject;
  const about = { todo, log: unsaid(log, diagnosis.red) };
  // The input names the head of the failed strand, so a later change of that strand is detected.
  const input = { from: attempt.tree, to: failed.tree, head };
  const change = await run.step({ kind: "tool", name: "diagnose", input, output: z.string() }, async () =>
    bounded(await run.parts.artifacts.diff(input.from, input.to)),
  );
  return run.ask("debugger", {
    name: "debug",
    briefing: [briefDebugger({ goal, spec, change, ...diagnosis, ...about })],
    result: DebuggerResult,
    workbench: new Workbench(run, {
      name: "debug",
      language: work.language,
      tree: failed.tree,
      locked: attempt.tests.files,
      baseline: work.baseline,
    }),
    maxTurns: DEBUGGER_TURNS,
  });
}

/** Records the end of the branch, for readers of the story. */
export async function settleBranch(run: Run, branch: BranchTodo, { settled, tree }: TodoResult): Promise<void> {
  const input = { branch: branch.id, ok: settled.ok, tree };
  await run.note(
    { kind: "checkpoint", name: "branch-settled", input },
    {
      type: "todo-settled",
      todo: branch.id,
      ok: settled.ok,
      ...(!settled.ok && { failure: settled.failure }),
    },
  );
}
