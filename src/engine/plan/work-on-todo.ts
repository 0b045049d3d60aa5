import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { TerminalFailure } from "../../domain/failure.ts";
import { type Place, route } from "../../domain/loop/route-failure.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Retry } from "../../domain/settings/settings.ts";
import type { Run } from "../hands/run.ts";
import { ownFiles } from "../hands/todo-runs.ts";
import { askPerson } from "../rescue/ask-person.ts";
import { branchTodo } from "../rescue/branch-todo.ts";
import { runTodo } from "../todo/run-todo.ts";
import { compareEffects, unmetPrecondition } from "../todo/todo-conditions.ts";
import { allOf, type TodoGuard, timeGuard } from "../todo/todo-limits.ts";
import type { Listening, TodoResult, TodoWork, Worked } from "../todo/todo-work.ts";

/**
 * One todo of a plan on a strand of its own: its preconditions, the loop, its effects; begun anew after a failure that may
 * pass, as often as it says.
 */
export async function workOnTodo(
  run: Run,
  todo: Todo,
  work: TodoWork,
  { name = `todo:${todo.id}`, guard, listening }: { name?: string; guard?: TodoGuard; listening?: Listening } = {},
): Promise<Worked> {
  const own = run.with(ownFiles(todo));
  for (let attempt = 1; ; attempt += 1) {
    const strandName = attempt === 1 ? name : `${name}/try:${attempt}`;
    const worked = await persistently(own, todo, () =>
      own.child(strandName, async (strand) => {
        if (attempt > 1) await waitFirst(strand, attempt - 1);
        return {
          result: await inTime(strand, todo, { ...work, ...(listening && { listening }) }, guard),
          head: strand.head,
        };
      }),
    );
    const { settled, yielded } = worked.result;
    if (settled.ok || yielded) return worked;
    const { action } = route(settled.failure, placeOf(own, todo, attempt));
    if (action === "begin-anew") continue;
    // Whoever goes on from here goes on from what this attempt left.
    const { goOn: _, ...bare } = work;
    const ended = action === "debug" ? await branchTodo(own, strandName, todo, bare, worked) : worked;
    const { result } = ended;
    if (result.settled.ok || action === "wait") return ended;
    const asks = own.settings.recovery?.ask === true;
    const last = route(result.settled.failure, { at: "end", asks });
    return last.action === "ask" ? askPerson(own, strandName, todo, bare, ended) : ended;
  }
}

async function inTime(run: Run, todo: Todo, work: TodoWork, shared: TodoGuard | undefined): Promise<TodoResult> {
  const { tree, language } = work;
  const failure = await unmetPrecondition(run, { todo, tree, language });
  if (failure) return { settled: { ok: false, failure }, tree, iterations: [], gate: null, tampering: [] };
  const guards = [timeGuard(todo, run.parts.clock), shared].filter((guard) => guard !== undefined);
  const result = await runTodo(run, { ...work, ...(guards.length > 0 && { guard: allOf(guards) }) });
  if (result.settled.ok) await compareEffects(run, { todo, from: tree, to: result.tree });
  return result;
}

/** What the network lacked is not recorded: the strand goes on from the step that it was in. */
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

export const backoff = ({ baseMs, maxMs }: Pick<Retry, "baseMs" | "maxMs">, retry: number): number =>
  Math.min(maxMs, baseMs * 2 ** Math.min(retry - 1, 20));
