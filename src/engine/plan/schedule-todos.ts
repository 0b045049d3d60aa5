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
  /** On the task's strand: makes ready what the todo needs, and returns its work, which keeps to a strand of its own. */
  begin(todo: Todo, signal: AbortSignal): Promise<() => Promise<Result>>;
  /** On the task's strand, when the todo has come to its end. */
  settle(todo: Todo, result: Result): Promise<"done" | "failed">;
}

/**
 * Works through a plan, as many todos at once as the limit allows.
 *
 * Invariants:
 * 1. What a todo does follows from its own strand and from `begin`, never from when others end.
 * 2. Which todo ended first is a step of the task's strand; all that is begun follows from these steps, so a resume and a
 *    replay begin the same todos in the same order.
 * 3. When it returns or throws, nothing that it began is running any more.
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
      // Begun in plan order from what is known, so the order of this map is the order of endings.
      progress.delete(next);
      progress.set(next, await scheduling.settle(todo, ended.result));
    }
  } finally {
    stop.abort(new Stopped("interrupted"));
    await Promise.all(running.values());
  }
}

type Ended<Result> = { id: string } & ({ result: Result } | { error: unknown });

/** Never rejects: an error waits until it is its turn. */
async function endOf<Result>(id: string, work: () => Promise<Result>): Promise<Ended<Result>> {
  try {
    return { id, result: await work() };
  } catch (error) {
    return { id, error };
  }
}

/**
 * The todo that ended first. One that waits for an answer or for money does not stop the others; when nothing else is
 * left, that is what the run ends with. Any other error ends it at once.
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
