import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { TerminalFailure } from "../../domain/failure.ts";
import { type Place, route } from "../../domain/loop/route-failure.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Retry } from "../../domain/settings/settings.ts";
import { todoStrand, tryStrand } from "../../domain/task/step-path.ts";
import type { Strand } from "../../journal/strand.ts";
import type { EngineParts } from "../hands/parts.ts";
import { ownFiles } from "../hands/todo-parts.ts";
import { askPerson } from "../rescue/ask-person.ts";
import { branchTodo } from "../rescue/branch-todo.ts";
import { runTodo } from "../todo/run-todo.ts";
import { compareEffects, unmetPrecondition } from "../todo/todo-conditions.ts";
import { allOf, type TodoGuard, timeGuard } from "../todo/todo-limits.ts";
import type { Listening, TodoResult, TodoWork } from "../todo/todo-work.ts";

export interface Worked {
  result: TodoResult;
  /** Of the strand that it ended on. */
  head: string;
  /** What the debugger found, where it was asked. */
  finding?: string;
}

/**
 * One todo of a plan on a strand of its own: its preconditions, the loop, its effects; begun anew after a failure that may
 * pass, as often as it says.
 */
export async function workOnTodo(
  parts: EngineParts,
  todo: Todo,
  work: TodoWork,
  { name = todoStrand(todo.id), guard, listening }: { name?: string; guard?: TodoGuard; listening?: Listening } = {},
): Promise<Worked> {
  const own = { ...parts, ...ownFiles(todo) };
  for (let attempt = 1; ; attempt += 1) {
    const strandName = tryStrand(name, attempt);
    const worked = await persistently(own, todo, () =>
      parts.journal.run(strandName, async (strand) => {
        if (attempt > 1) await waitFirst(strand, own, attempt - 1);
        return {
          result: await inTime(strand, own, todo, { ...work, ...(listening && { listening }) }, guard),
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
    const asks = own.journal.frozen.settings.recovery?.ask === true;
    const last = route(result.settled.failure, { at: "end", asks });
    return last.action === "ask" ? askPerson(own, strandName, todo, bare, ended) : ended;
  }
}

async function inTime(
  strand: Strand,
  parts: EngineParts,
  todo: Todo,
  work: TodoWork,
  shared: TodoGuard | undefined,
): Promise<TodoResult> {
  const { tree, language } = work;
  const failure = await unmetPrecondition(strand, parts, { todo, tree, language });
  if (failure) return { settled: { ok: false, failure }, tree, iterations: [], run: null, tampering: [] };
  const guards = [timeGuard(todo, parts.clock), shared].filter((guard) => guard !== undefined);
  const result = await runTodo(strand, parts, { ...work, ...(guards.length > 0 && { guard: allOf(guards) }) });
  if (result.settled.ok) await compareEffects(strand, parts, { todo, from: tree, to: result.tree });
  return result;
}

/** What the network lacked is not recorded: the strand goes on from the step that it was in. */
async function persistently(parts: EngineParts, todo: Todo, run: () => Promise<Worked>): Promise<Worked> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TerminalFailure)) throw error;
      if (route(error.failure, placeOf(parts, todo, attempt)).action !== "retry") throw error;
      parts.onNotice(`todo ${todo.id}: ${error.message}; tried again`);
      await sleep(backoff(parts.journal.frozen.settings.retry, attempt), undefined, { signal: parts.signal });
    }
  }
}

const placeOf = ({ journal }: EngineParts, { retries = 0 }: Todo, attempt: number): Place => ({
  at: "todo",
  attempt,
  retries,
  debugAttempts: journal.frozen.settings.limits.debugAttempts ?? 0,
});

async function waitFirst(strand: Strand, parts: EngineParts, retry: number): Promise<void> {
  const ms = backoff(parts.journal.frozen.settings.retry, retry);
  await strand.step(
    { kind: "decision", name: "backoff", input: { retry, ms }, output: z.null(), durable: false },
    async () => {
      await sleep(ms, undefined, { signal: parts.signal });
      return null;
    },
  );
}

export const backoff = ({ baseMs, maxMs }: Pick<Retry, "baseMs" | "maxMs">, retry: number): number =>
  Math.min(maxMs, baseMs * 2 ** Math.min(retry - 1, 20));
