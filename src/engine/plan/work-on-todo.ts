import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { TerminalFailure } from "../../domain/failure.ts";
import { type Place, type Recovery, route } from "../../domain/loop/route-failure.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Retry } from "../../domain/settings/settings.ts";
import { tryStrand } from "../../domain/task/step-path.ts";
import type { Run } from "../hands/run.ts";
import { ownFiles } from "../hands/todo-runs.ts";
import { askPerson } from "../rescue/ask-person.ts";
import { branchTodo, type StuckTodo } from "../rescue/branch-todo.ts";
import type { Attempt } from "../todo/attempt.ts";
import { runTodo } from "../todo/run-todo.ts";
import { compareEffects, unmetPrecondition } from "../todo/todo-conditions.ts";
import { allOf, timeGuard } from "../todo/todo-limits.ts";
import type { PlannedTodo, TodoInterrupts, TodoResult, Worked } from "../todo/todo-work.ts";
import type { BegunWork } from "./plan-work.ts";

/**
 * Works on one todo of a plan on its own strand: preconditions, loop, effects. After a failure that may pass it begins
 * anew, as often as the todo allows.
 */
export async function workOnTodo(
  run: Run,
  { work, attempt }: BegunWork<PlannedTodo>,
  { name, ...control }: TodoInterrupts & { name: string },
): Promise<Worked> {
  const { todo } = work.subject;
  const own = run.with(ownFiles(todo));
  for (let round = 1; ; round += 1) {
    // Of one round, with everything that follows on it: a branch has no time of its own.
    const guard = allOf([timeGuard(todo, own.parts.clock), control.guard]);
    const strandName = tryStrand(name, round);
    const worked = await persistently(own, todo, () =>
      own.child(strandName, async (strand) => {
        if (round > 1) await waitFirst(strand, round - 1);
        return { result: await inTime(strand, work, attempt, { ...control, guard }), head: strand.head };
      }),
    );
    const { settled, yielded } = worked.result;
    if (settled.ok || yielded) return worked;
    const { action } = route(settled.failure, placeOf(own, todo, round));
    if (action === "begin-anew") continue;
    const stuck = { name: strandName, work, attempt, guard };
    const ended = await recover(own, stuck, worked, action);
    const { settled: end } = ended.result;
    if (end.ok || action === "wait") return ended;
    const last = route(end.failure, { at: "end", asks: own.settings.recovery.ask });
    return recover(own, stuck, ended, last.action);
  }
}

/** Carries out what follows on a failed attempt. A new recovery has its place here: the switch knows them all. */
async function recover(run: Run, stuck: StuckTodo, failed: Worked, action: Recovery["action"]): Promise<Worked> {
  switch (action) {
    case "debug":
      return branchTodo(run, stuck, failed);
    case "ask":
      return askPerson(run, stuck, failed);
    case "give-up":
    case "wait":
    // What could be tried again by itself was: nothing is left to do for it.
    case "retry":
      return failed;
    case "begin-anew":
    case "reflect":
    case "rework":
      throw new Error(`${action} is decided elsewhere: the loop of a todo, or the merge of several`);
  }
}

async function inTime(run: Run, work: PlannedTodo, attempt: Attempt, control: TodoInterrupts): Promise<TodoResult> {
  const { language, subject } = work;
  const { todo } = subject;
  const { tree } = attempt;
  const failure = await unmetPrecondition(run, { todo, tree, language });
  if (failure) return { settled: { ok: false, failure }, tree, iterations: [], gate: null, tampering: [] };
  const result = await runTodo(run, work, attempt, control);
  if (result.settled.ok) await compareEffects(run, { todo, from: tree, to: result.tree });
  return result;
}

/** Network failures are not recorded: the strand continues with the step that failed. */
async function persistently(run: Run, todo: Todo, work: () => Promise<Worked>): Promise<Worked> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TerminalFailure)) throw error;
      if (route(error.failure, placeOf(run, todo, attempt)).action !== "retry") throw error;
      run.parts.onNotice(`todo ${todo.id}: ${error.message}; tried again`);
      await sleep(backoff(run.settings.retry, attempt), undefined, { signal: run.parts.signal });
    }
  }
}

const placeOf = ({ settings }: Run, { retries = 0, debugAttempts }: Todo, attempt: number): Place => ({
  at: "todo",
  attempt,
  retries,
  debugAttempts: debugAttempts ?? settings.limits.debugAttempts ?? 0,
});

async function waitFirst(run: Run, retry: number): Promise<void> {
  const ms = backoff(run.settings.retry, retry);
  await run.step(
    { kind: "decision", name: "backoff", input: { retry, ms }, output: z.null(), durable: false },
    async () => {
      await sleep(ms, undefined, { signal: run.parts.signal });
      return null;
    },
  );
}

const backoff = ({ baseMs, maxMs }: Pick<Retry, "baseMs" | "maxMs">, retry: number): number =>
  Math.min(maxMs, baseMs * 2 ** Math.min(retry - 1, 20));
