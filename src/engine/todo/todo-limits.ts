import { z } from "zod";
import { fail } from "../../domain/failure.ts";
import type { LoopState } from "../../domain/loop/loop.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Steps } from "../hands/run.ts";

/**
 * Called before each phase of a todo's loop, in its branches too. Throws to end the todo. What was recorded before branches
 * were bound has no such steps there, and replays without them.
 */
export type TodoGuard = (run: Steps, state: LoopState) => Promise<void>;

/**
 * Limits the working time of a todo. Times are recorded when a step is first reached. The time between two runs of the
 * task does not count: each run adds only the time it has seen itself.
 */
export function timeGuard({ id, timeoutMs }: Todo, clock: () => number): TodoGuard | undefined {
  if (timeoutMs === undefined) return undefined;
  let spent = 0;
  let since = clock();
  return async (run, { phase }) => {
    if (phase === "init" || run.isNext("time") === false) return;
    const now = await run.step(
      { kind: "decision", name: "time", input: null, output: z.number(), durable: false },
      async () => spent + Math.max(0, clock() - since),
    );
    // Candidates ask beside each other.
    spent = Math.max(spent, now);
    since = clock();
    if (spent <= timeoutMs) return;
    const message = `todo ${id} took more than its ${Math.round(timeoutMs / 1000)} s; give it more time, or cut it into smaller ones`;
    throw fail("timeout", "todo.timeout", message);
  };
}

/** Calls all guards in this order. */
export const allOf =
  (guards: (TodoGuard | undefined)[]): TodoGuard =>
  async (run, state) => {
    for (const guard of guards) await guard?.(run, state);
  };
