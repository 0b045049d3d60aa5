import type { Failure, FailureKind } from "../domain/failure.ts";
import { type Iteration, isStuck } from "../domain/iteration.ts";

/** What follows a red iteration: think about it, simply try again, or stop because nothing improves. */
export type Recovery = "reflect" | "retry" | "give-up";

/** Failures that another go from the beginning may not meet: the machine was busy, a test went another way. */
const MAY_PASS: readonly FailureKind[] = ["timeout", "flaky", "resource-limit", "transient"];

/** Whether a todo that failed is begun anew: it says how often, and only what may pass by itself is worth it. */
export const retriesAfter = ({ kind }: Failure, attempt: number, retries: number): boolean =>
  attempt <= retries && MAY_PASS.includes(kind);

/**
 * Where the failure of an iteration goes. Pure, so that every kind can be tested. What the machine, the network or the
 * budget lacks never gets here: it ends the run, and a resume meets it afresh.
 */
export function route(failure: Failure, history: Iteration[], patience: number): Recovery {
  if (isStuck(history, patience)) return "give-up";
  return failure.kind === "invalid-input" ? "retry" : "reflect";
}
