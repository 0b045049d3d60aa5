import { z } from "zod";
import { TerminalFailure } from "../../domain/failure.ts";
import type { Plan, Todo } from "../../domain/plan/plan.ts";
import { startable } from "../../domain/plan/schedule.ts";
import type { Steps } from "../hands/run.ts";
import { Stopped } from "../hands/stop.ts";

export interface Scheduling<Result> {
  plan: Plan;
  /** How many todos run at once. */
  limit: number;
  /** Todos that were done before. */
  done?: string[];
  /** Runs on the task's strand: prepares what the todo needs, and returns its work, which keeps to its own strand. */
  begin(todo: Todo, signal: AbortSignal): Promise<() => Promise<Result>>;
  /** Runs on the task's strand, when the todo has ended. */
  settle(todo: Todo, result: Result): Promise<"done" | "failed">;
}

/**
 * Works through a plan, with as many todos at once as the limit allows.
 *
 * Invariants:
 * 1. What a todo does depends on its own strand and on `begin`, never on when other todos end.
 * 2. Which todo ended first is a step of the task's strand. What is begun depends only on these steps, so a resume and
 * a replay begin the same todos in the same order.
 * 3. When it returns or throws, none of the todos that it began is still running.
 */
export async function scheduleTodos<Result>(run: Steps, scheduling: Scheduling<Result>): Promise<void> {
  const { plan, limit, done = [] } = scheduling;
  const progress = new Map<string, "running" | "done" | "failed">(done.map((id) => [id, "done"]));
  const running = new Map<string, Promise<Ended<Result>>>();
  const stop = new AbortController();
  try {
    for (;;) {
      for (const todo of startable(plan, progress, limit)) {
        progress.set(todo.id, "running");
        const work = await scheduling.begin(todo, stop.signal);
        running.set(todo.id, endOf(todo.id, work));
      }
      if (running.size === 0) return;
      const settled = [...progress].filter(([, state]) => state !== "running").map(([id]) => id);
      const next = await run.step(
        { kind: "decision", name: "next-settled", input: { settled }, output: z.string(), durable: false },
        () => firstEnded(running),
      );
      const todo = plan.todos.find(({ id }) => id === next);
      const ended = await running.get(next);
      if (!todo || !ended) throw new Error(`todo ${next} was not running`);
      if ("error" in ended) throw ended.error;
      running.delete(next);
      // Todos are begun in plan order from `progress`. Deleting first keeps this map in the order of endings.
      progress.delete(next);
      progress.set(next, await scheduling.settle(todo, ended.result));
    }
  } finally {
    stop.abort(new Stopped("interrupted"));
    await Promise.all(running.values());
  }
}

type Ended<Result> = { id: string } & ({ result: Result } | { error: unknown });

/** Never rejects: an error is kept until its turn comes. */
async function endOf<Result>(id: string, work: () => Promise<Result>): Promise<Ended<Result>> {
  try {
    return { id, result: await work() };
  } catch (error) {
    return { id, error };
  }
}

/**
 * The todo that ended first. A todo that waits for an answer or for money does not stop the others; the run ends with
 * its error only when nothing else is left. Any other error ends the run at once.
 */
async function firstEnded<Result>(running: ReadonlyMap<string, Promise<Ended<Result>>>): Promise<string> {
  const open = new Map(running);
  let held: unknown;
  while (open.size > 0) {
    const ended = await Promise.race(open.values());
    if ("result" in ended) return ended.id;
    if (!isHeld(ended.error)) throw ended.error;
    held ??= ended.error;
    open.delete(ended.id);
  }
  throw held;
}

const isHeld = (error: unknown): boolean =>
  (error instanceof Stopped && error.reason === "waiting") ||
  (error instanceof TerminalFailure && error.failure.kind === "budget");
