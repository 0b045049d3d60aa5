import { z } from "zod";
import { briefDebugger } from "../agents/briefing.ts";
import { DebuggerResult } from "../agents/finish.ts";
import { type BranchTodo, isDebuggable, routeBranch } from "../domain/branch.ts";
import { TerminalFailure } from "../domain/failure.ts";
import type { Todo } from "../domain/plan.ts";
import { goalBesideSpec } from "../domain/task.ts";
import type { Strand } from "../journal/strand.ts";
import { askRole } from "./ask-role.ts";
import { runCandidates } from "./candidates.ts";
import { bounded } from "./describe-red.ts";
import { diagnose, unsaid } from "./diagnose.ts";
import type { EngineParts } from "./parts.ts";
import { runTodo } from "./run-todo.ts";
import type { TodoResult, TodoWork } from "./todo-work.ts";
import type { Worked } from "./work-on-todo.ts";
import { Workbench } from "./workbench.ts";

const DEBUGGER_TURNS = 20;

/**
 * A todo that stays red gets a temporary one: the debugger finds the cause on the best attempt, and the coder goes on
 * from there with its instructions, against the parent's own tests. So when the branch is green, its parent is.
 */
export async function branchTodo(
  parts: EngineParts,
  name: string,
  todo: Todo,
  work: TodoWork,
  { result: failed, head }: Worked,
): Promise<Worked> {
  const { limits, focused } = parts.journal.frozen.settings;
  const maxAttempts = limits.debugAttempts ?? 0;
  if (failed.settled.ok || maxAttempts === 0 || !isDebuggable(failed.settled.failure)) return { result: failed, head };
  return parts.journal.run(`${name}/debug`, async (strand) => {
    const found = await askDebugger(strand, parts, work, { result: failed, head });
    if (!found) return { result: failed, head: strand.head };
    const branch: BranchTodo = {
      id: `${todo.id}-debug`,
      parent: todo.id,
      reason: found.cause,
      finding: found.finding,
      instructions: found.instructions,
      maxAttempts,
    };
    await strand.step(
      { kind: "decision", name: "branch", input: { branch, tree: failed.tree }, output: z.null() },
      async ({ emit }) => {
        emit({ type: "todo-branched", branch });
        return null;
      },
    );
    const route = routeBranch(branch.reason);
    if (route !== "code") {
      const message = `todo ${todo.id} stays red because of its tests: ${branch.finding}`;
      return { result: { ...failed, settled: { ok: false, failure: { ...route, message } } }, head: strand.head };
    }
    const most = Math.max(1, limits.candidates ?? 1);
    const instructions = [branch.instructions, ...found.alternatives].slice(0, most);
    const attempt = focused && { attempt: { from: work.attempt?.from ?? work.tree, red: diagnose(failed).red } };
    const from = { ...work, tree: failed.tree, met: failed.met ?? [], ...attempt };
    const result =
      instructions.length > 1
        ? await runCandidates(strand, parts, { name, todo, branch, work: from, instructions })
        : await runTodo(strand, parts, {
            ...from,
            name: branch.id,
            maxIterations: maxAttempts,
            notes: [...(work.notes ?? []), `Somebody debugged this:\n${branch.instructions}`],
          });
    await settleBranch(strand, branch, result);
    const iterations = [...failed.iterations, ...result.iterations];
    const tampering = [...failed.tampering, ...result.tampering];
    return { result: { ...result, iterations, tampering }, head: strand.head };
  });
}

/** Null when it had nothing usable to say: then the todo fails as it did. */
async function askDebugger(
  strand: Strand,
  parts: EngineParts,
  work: TodoWork,
  { result: failed, head }: Worked,
): Promise<DebuggerResult | null> {
  const { request, settings } = parts.journal.frozen;
  const goal = goalBesideSpec(request);
  const { log, ...diagnosis } = diagnose(failed);
  const about = settings.focused ? { todo: work.todo, log: unsaid(log, diagnosis.red) } : { log };
  // The strand that it goes on from is part of its own: nothing of it can be changed unseen.
  const input = { from: work.tree, to: failed.tree, head };
  const change = await strand.step({ kind: "tool", name: "diagnose", input, output: z.string() }, async () =>
    bounded(await parts.artifacts.diff(input.from, input.to)),
  );
  const conclusion = await askRole(parts, {
    strand,
    name: "debug",
    role: "debugger",
    briefing: [briefDebugger({ goal, spec: work.spec, change, ...diagnosis, ...about })],
    result: DebuggerResult,
    workbench: new Workbench(parts, "debug", work.language, failed.tree, work.tests, work.baseline),
    maxTurns: DEBUGGER_TURNS,
  }).catch((error: unknown) => {
    if (error instanceof TerminalFailure && error.failure.code === "model.invalid-output") return null;
    throw error;
  });
  return conclusion?.ended === "finished" ? conclusion.result : null;
}

/** The end of its life, for whoever reads the story. */
async function settleBranch(strand: Strand, branch: BranchTodo, { settled, tree }: TodoResult): Promise<void> {
  const input = { branch: branch.id, ok: settled.ok, tree };
  await strand.step({ kind: "checkpoint", name: "branch-settled", input, output: z.null() }, async ({ emit }) => {
    emit({
      type: "todo-settled",
      todo: branch.id,
      ok: settled.ok,
      ...(!settled.ok && { failure: settled.failure }),
    });
    return null;
  });
}
