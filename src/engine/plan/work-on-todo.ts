import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { TerminalFailure } from "../../domain/failure.ts";
import { type Place, route } from "../../domain/loop/route-failure.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Retry } from "../../domain/settings/settings.ts";
import { tryStrand } from "../../domain/task/step-path.ts";
import type { Run } from "../hands/run.ts";
import { ownFiles } from "../hands/todo-runs.ts";
import { askPerson } from "../rescue/ask-person.ts";
import { branchTodo } from "../rescue/branch-todo.ts";
import type { Attempt } from "../todo/attempt.ts";
import { runTodo } from "../todo/run-todo.ts";
import { compareEffects, unmetPrecondition } from "../todo/todo-conditions.ts";
import { allOf, timeGuard } from "../todo/todo-limits.ts";
import type { PlannedWork, TodoControl, TodoResult, Worked } from "../todo/todo-work.ts";
import type { BegunWork } from "./plan-work.ts";

/**
 * Works on one todo of a plan on its own strand: preconditions, loop, effects. After a failure that may pass it begins
 * anew, as often as the todo allows.
 */
export async function workOnTodo(
  run: Run,
  { work, attempt }: BegunWork<PlannedWork>,
  { name, ...control }: TodoControl & { name: string },
): Promise<Worked> {
  const { todo } = work.subject;
  const own = run.with(ownFiles(todo));
  for (let round = 1; ; round += 1) {
    const strandName = tryStrand(name, round);
    const worked = await persistently(own, todo, () =>
      own.child(strandName, async (strand) => {
        if (round > 1) await waitFirst(strand, round - 1);
        return { result: await inTime(strand, work, attempt, control), head: strand.head };
      }),
    );
    const { settled, yielded } = worked.result;
    if (settled.ok || yielded) return worked;
    const { action } = route(settled.failure, placeOf(own, todo, round));
    if (action === "begin-anew") continue;
    const stuck = { name: strandName, work, attempt };
    const ended = action === "debug" ? await branchTodo(own, stuck, worked) : worked;
    const { result } = ended;
    if (result.settled.ok || action === "wait") return ended;
    const last = route(result.settled.failure, { at: "end", asks: own.settings.recovery.ask });
    return last.action === "ask" ? askPerson(own, stuck, ended) : ended;
  }
}

async function inTime(run: Run, work: PlannedWork, attempt: Attempt, control: TodoControl): Promise<TodoResult> {
  const { language, subject } = work;
  const { todo } = subject;
  const { tree } = attempt;
  const failure = await unmetPrecondition(run, { todo, tree, language });
  if (failure) return { settled: { ok: false, failure }, tree, iterations: [], gate: null, tampering: [] };
  const guard = allOf([timeGuard(todo, run.parts.clock), control.guard]);
  const result = await runTodo(run, work, attempt, { ...control, guard });
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

const placeOf = ({ settings }: Run, { retries = 0 }: Todo, attempt: number): Place => ({
  at: "todo",
  attempt,
  retries,
  debugAttempts: settings.limits.debugAttempts ?? 0,
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
