import type { Failure } from "../../domain/failure.ts";
import type { LoopState } from "../../domain/loop/loop.ts";
import type { Todo } from "../../domain/plan/plan.ts";
import type { Run } from "../hands/run.ts";
import type { TodoResult } from "./todo-work.ts";

/** Stands in the place of a failure when a todo is called back. Nobody is told of it. */
export const YIELDED: Failure = {
  kind: "logic",
  code: "todo.yielded",
  message: "the todo was called back before its end",
};

/** True when nothing is under way: an iteration is about to begin, or another approach is wanted. */
export const isBetween = (state: LoopState): boolean =>
  state.phase === "coding" || (state.phase === "planning" && state.iteration > 0);

/** Records the head of the strand, as for a todo that ended. */
export async function settleYielded(run: Run, todo: Todo, { tree }: TodoResult, head: string): Promise<void> {
  const input = { todo: todo.id, tree, head };
  await run.note({ kind: "checkpoint", name: "todo-yielded", input, durable: false });
}
