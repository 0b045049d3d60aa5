import { z } from "zod";
import { briefDebugger } from "../../agents/briefings/debugger.ts";
import { DebuggerResult } from "../../agents/finish.ts";
import { AT_FAULT, type BranchTodo, isDebuggable, routeBranch } from "../../domain/plan/branch.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import { goalBesideSpec } from "../../domain/task/task.ts";
import { bounded } from "../gate/describe-red.ts";
import type { Run } from "../hands/run.ts";
import { Workbench } from "../hands/workbench.ts";
import { runTodo } from "../todo/run-todo.ts";
import type { TodoResult, TodoWork, Worked } from "../todo/todo-work.ts";
import { answerClaim } from "./answer-claim.ts";
import { diagnose, unsaid } from "./diagnose.ts";
import { runCandidates } from "./run-candidates.ts";

const DEBUGGER_TURNS = 20;

/**
 * A todo that stays red gets a temporary one: the debugger finds the cause on the best attempt, and whoever it concerns
 * goes on from there: the coder with its instructions, against the parent's own tests, or first the tester, where a test
 * is shown to be at fault. So when the branch is green, its parent is.
 */
export async function branchTodo(
  run: Run,
  name: string,
  todo: Todo,
  work: TodoWork,
  { result: failed, head }: Worked,
): Promise<Worked> {
  const { limits, focused, recovery } = run.settings;
  const maxAttempts = limits.debugAttempts ?? 0;
  if (failed.settled.ok || maxAttempts === 0 || !isDebuggable(failed.settled.failure)) return { result: failed, head };
  return run.child(`${name}/debug`, async (run) => {
    const found = await askDebugger(run, work, { result: failed, head });
    if (!found) return { result: failed, head: run.head };
    const branch: BranchTodo = {
      id: `${todo.id}-debug`,
      parent: todo.id,
      reason: found.cause,
      finding: found.finding,
      instructions: found.instructions,
      maxAttempts,
    };
    await run.note(
      { kind: "decision", name: "branch", input: { branch, tree: failed.tree } },
      { type: "todo-branched", branch },
    );
    const ended = (result: TodoResult): Worked => ({ result, head: run.head, finding: branch.finding });
    const from: TodoWork = {
      ...work,
      tree: failed.tree,
      met: failed.met ?? [],
      ...(focused && { attempt: { from: work.attempt?.from ?? work.tree, red: diagnose(failed).red } }),
      ...unjudged(run, work, failed),
      ...(recovery && { failures: failed.iterations.length }),
    };
    const powers = { rewrites: recovery?.rewrite === true, contract: work.spec?.contract !== undefined };
    const route = routeBranch(branch.reason, powers);
    if (route.to === "nobody") return ended(blaming(failed, branch));
    const about = { todo, work: from, failed, branch, tests: found.tests };
    const answer = route.to === "tester" ? await answerClaim(run, { ...about, shownBy: route.shownBy }) : null;
    if (answer?.at === "end") return ended({ ...blaming(failed, branch, answer.why), ...answer.also });
    const most = Math.max(1, limits.candidates ?? 1);
    const instructions = [branch.instructions, ...found.alternatives].slice(0, answer ? 1 : most);
    const result =
      instructions.length > 1
        ? await runCandidates(run, { name, todo, branch, work: from, instructions })
        : await runTodo(run, {
            ...(answer?.work ?? from),
            name: branch.id,
            maxIterations: maxAttempts,
            notes: [...(work.notes ?? []), answer?.note ?? `Somebody debugged this:\n${branch.instructions}`],
          });
    await settleBranch(run, branch, result);
    const iterations = [...failed.iterations, ...result.iterations];
    const tampering = [...failed.tampering, ...result.tampering];
    return ended({ ...result, iterations, tampering, ...answer?.also });
  });
}

/**
 * What a reader sent back went through no gate: what its coder did to tests and their configuration is still in it, and
 * must not pass for what was there before. Older tasks are gone on with as they were.
 */
export function unjudged(
  run: Run,
  { judgedFrom, tree: before }: TodoWork,
  { gate, tree }: TodoResult,
): Pick<TodoWork, "judgedFrom"> {
  const isJudged = gate?.tree === tree || tree === before;
  return run.settings.focused && !isJudged ? { judgedFrom: judgedFrom ?? before } : {};
}

/** As it failed, with the debugger's finding as the reason. */
function blaming(failed: TodoResult, { parent, reason, finding }: BranchTodo, contract?: string): TodoResult {
  const message =
    contract === undefined
      ? `todo ${parent} stays red because of its tests: ${finding}`
      : `todo ${parent} stays red because the contract goes against the requirements: ${contract}`;
  return { ...failed, settled: { ok: false, failure: { ...AT_FAULT[reason], message } } };
}

/** Null when it had nothing usable to say: then the todo fails as it did. */
async function askDebugger(run: Run, work: TodoWork, { result: failed, head }: Worked): Promise<DebuggerResult | null> {
  const { request, settings } = run;
  const goal = goalBesideSpec(request);
  const { log, ...diagnosis } = diagnose(failed);
  const about = settings.focused ? { todo: work.todo, log: unsaid(log, diagnosis.red) } : { log };
  // The strand that it goes on from is part of its own: nothing of it can be changed unseen.
  const input = { from: work.tree, to: failed.tree, head };
  const change = await run.step({ kind: "tool", name: "diagnose", input, output: z.string() }, async () =>
    bounded(await run.parts.artifacts.diff(input.from, input.to)),
  );
  return run.ask("debugger", {
    name: "debug",
    briefing: [briefDebugger({ goal, spec: work.spec, change, ...diagnosis, ...about })],
    result: DebuggerResult,
    workbench: new Workbench(run, {
      name: "debug",
      language: work.language,
      tree: failed.tree,
      locked: work.tests,
      baseline: work.baseline,
    }),
    maxTurns: DEBUGGER_TURNS,
  });
}

/** The end of its life, for whoever reads the story. */
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
