import { type Failure, type FailureKind, isOutside } from "../failure.ts";
import { AT_FAULT, isDebuggable } from "../plan/branch.ts";
import { type Iteration, isStuck } from "./iteration.ts";

/** Where something failed, with what decides about the way on. */
export type Place =
  | { at: "iteration"; history: Iteration[]; patience: number }
  /**
   * `attempt` is the one that failed, `retries` how many more the todo allows, `debugAttempts` how many
   * iterations may follow on the debugger's finding.
   */
  | { at: "todo"; attempt: number; retries: number; debugAttempts: number }
  /** `reworks` is how often the todo was redone already because it did not merge. */
  | { at: "merge"; reworks: number }
  /** Every role has had its turn. `asks`: a person may be asked. */
  | { at: "end"; asks: boolean };

export type Recovery =
  /** The same step again, from where the work stands. */
  | { action: "retry" }
  /** The reflector looks for the cause; then the coder goes on, or the planner tries another approach. */
  | { action: "reflect" }
  /** The todo again from its beginning, after a pause. */
  | { action: "begin-anew" }
  /** The debugger finds out whether code, test or spec is at fault. */
  | { action: "debug" }
  /** The todo again, on the tree that it could not be merged with. */
  | { action: "rework" }
  /** A person is asked for a hint. */
  | { action: "ask" }
  /** Only a person can mend it (a key, money, the network): the run ends and can be resumed. */
  | { action: "wait" }
  | { action: "give-up" };

/** Failures that may not happen again: the machine was busy, a test is flaky. */
const MAY_PASS: readonly FailureKind[] = ["timeout", "flaky", "resource-limit"];

/** Several others may finish before a todo does, and it has to be merged with each. */
const MOST_REWORKS = 3;

/** The debugger found a test at fault, and no role could write it anew. */
const isTestFault = ({ code }: Failure): boolean => Object.values(AT_FAULT).some((fault) => fault.code === code);

/** What follows on a failure. Pure and total: every kind of failure has an answer at every place. */
export function route(failure: Failure, place: Place): Recovery {
  const { kind } = failure;
  switch (place.at) {
    case "iteration":
      if (isStuck(place.history, place.patience)) return { action: "give-up" };
      return { action: kind === "invalid-input" ? "retry" : "reflect" };
    case "todo": {
      const hasRetries = place.attempt <= place.retries;
      if (kind === "transient") return { action: hasRetries ? "retry" : "wait" };
      // The limit of iterations is of kind budget, too, but no person has to pay for it: nothing is waited for.
      if (isOutside(kind) && failure.code !== "limit.iterations") return { action: "wait" };
      if (hasRetries && MAY_PASS.includes(kind)) return { action: "begin-anew" };
      return { action: place.debugAttempts > 0 && isDebuggable(failure) ? "debug" : "give-up" };
    }
    case "end":
      return { action: place.asks && (isDebuggable(failure) || isTestFault(failure)) ? "ask" : "give-up" };
    case "merge":
      if (isOutside(kind)) return { action: "wait" };
      return { action: place.reworks < MOST_REWORKS ? "rework" : "give-up" };
  }
}
