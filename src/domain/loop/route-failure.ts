import { type Failure, type FailureKind, isOutside } from "../failure.ts";
import { isDebuggable } from "../plan/branch.ts";
import { type Iteration, isStuck } from "./iteration.ts";

/** Where something failed, with what decides on the way from there. */
export type Place =
  | { at: "iteration"; history: Iteration[]; patience: number }
  /** `attempt` is the one that failed; `retries` are those that the todo allows; `debugAttempts` what the debugger's work may take. */
  | { at: "todo"; attempt: number; retries: number; debugAttempts: number }
  /** `reworks` is how often the todo was worked again already. */
  | { at: "merge"; reworks: number }
  /** Every role has had its turn. `asks`: a person may be asked. */
  | { at: "end"; asks: boolean };

export type Recovery =
  /** Once more from here: the same was only not usable, or did not come through. */
  | { action: "retry" }
  /** Why is asked, and the coder goes on with the answer, or the planner with another approach. */
  | { action: "reflect" }
  /** The todo once more from its beginning, after a while. */
  | { action: "begin-anew" }
  /** To the debugger, who says whose the failure is. */
  | { action: "debug" }
  /** The todo once more, on the tree that it did not fit onto. */
  | { action: "rework" }
  /** A person is asked for a hint. */
  | { action: "ask" }
  /** Nothing here can mend it: the run ends, and a resume meets it afresh when a person has. */
  | { action: "wait" }
  | { action: "give-up" };

/** Failures that another go may not meet: the machine was busy, a test went another way. */
const MAY_PASS: readonly FailureKind[] = ["timeout", "flaky", "resource-limit"];

/** A todo may be in the way of several others, each of which it has to fit onto. */
const MOST_REWORKS = 3;

/** The debugger found a test at fault, and nobody could write it anew. */
const isTestFault = ({ code }: Failure): boolean => code.startsWith("branch.");

/** Where a failure goes. Pure and total: every kind at every place has its way. */
export function route(failure: Failure, place: Place): Recovery {
  const { kind } = failure;
  switch (place.at) {
    case "iteration":
      if (isStuck(place.history, place.patience)) return { action: "give-up" };
      return { action: kind === "invalid-input" ? "retry" : "reflect" };
    case "todo": {
      const hasRetries = place.attempt <= place.retries;
      if (kind === "transient") return { action: hasRetries ? "retry" : "wait" };
      // The limit of iterations is of kind budget, too, but it is the todo's own and not the person's.
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
