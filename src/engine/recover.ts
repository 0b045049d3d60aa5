import type { Failure } from "../domain/failure.ts";
import { type Iteration, isStuck } from "../domain/iteration.ts";

/** What follows a red iteration: think about it, simply try again, or stop because nothing improves. */
export type Recovery = "reflect" | "retry" | "give-up";

/**
 * Where the failure of an iteration goes. Pure, so that every kind can be tested. What the machine, the network or the
 * budget lacks never gets here: it ends the run, and a resume meets it afresh.
 */
export function route(failure: Failure, history: Iteration[], patience: number): Recovery {
  if (isStuck(history, patience)) return "give-up";
  return failure.kind === "invalid-input" ? "retry" : "reflect";
}
