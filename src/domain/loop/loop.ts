import { z } from "zod";
import { Failure } from "../failure.ts";

const iteration = z.int();

/** The loop of one todo as a state machine. Pure: the engine obeys, it does not decide. */
export const LoopState = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("init") }),
  z.object({ phase: z.literal("planning"), iteration }),
  z.object({ phase: z.literal("coding"), iteration }),
  z.object({ phase: z.literal("review"), iteration }),
  z.object({ phase: z.literal("audit"), iteration }),
  z.object({ phase: z.literal("testing"), iteration }),
  z.object({ phase: z.literal("reflecting"), iteration, failure: Failure }),
  z.object({ phase: z.literal("success"), iteration }),
  z.object({ phase: z.literal("failed"), iteration, failure: Failure }),
]);
export type LoopState = z.infer<typeof LoopState>;

/** What can happen in a phase. `stopped` may happen in every phase that is not final. */
export type LoopOutcome =
  /** `after`: how many iterations it had before it was interrupted. */
  | { type: "started"; after?: number }
  | { type: "planned" }
  | { type: "coded" }
  | { type: "approved" }
  | { type: "green" }
  | { type: "rejected"; failure: Failure }
  | { type: "reflected"; next: "code" | "plan"; stuck: boolean; unexplained?: true }
  | { type: "stopped"; failure: Failure };

export interface LoopLimits {
  maxIterations: number;
  /** The circuit breaker warns here, before the limit stops. */
  warnAt: number;
  review: boolean;
  audit: boolean;
}

export interface LoopStep {
  state: LoopState;
  warning?: string;
}

export const isFinal = (state: LoopState): boolean => state.phase === "success" || state.phase === "failed";

/** The next state. An outcome that cannot happen in this phase throws: that is a bug, not a result. */
export function transition(state: LoopState, outcome: LoopOutcome, limits: LoopLimits): LoopStep {
  if (isFinal(state)) throw impossible(state, outcome);
  const iteration = state.phase === "init" ? 0 : state.iteration;
  if (outcome.type === "stopped") return enter({ phase: "failed", iteration, failure: outcome.failure });
  switch (state.phase) {
    case "init":
      if (outcome.type === "started" && outcome.after) return startCoding(outcome.after + 1, limits);
      if (outcome.type === "started") return enter({ phase: "planning", iteration: 0 });
      break;
    case "planning":
      if (outcome.type === "planned") return startCoding(iteration + 1, limits);
      if (outcome.type === "rejected") return enter({ phase: "failed", iteration, failure: outcome.failure });
      break;
    case "coding":
      if (outcome.type === "coded") return enter({ phase: afterCoding(limits), iteration });
      if (outcome.type === "rejected") return reflect(iteration, outcome.failure);
      break;
    case "review":
      if (outcome.type === "approved") return enter({ phase: limits.audit ? "audit" : "testing", iteration });
      if (outcome.type === "rejected") return reflect(iteration, outcome.failure);
      break;
    case "audit":
      if (outcome.type === "approved") return enter({ phase: "testing", iteration });
      if (outcome.type === "rejected") return reflect(iteration, outcome.failure);
      break;
    case "testing":
      if (outcome.type === "green") return enter({ phase: "success", iteration });
      if (outcome.type === "rejected") return reflect(iteration, outcome.failure);
      break;
    case "reflecting":
      if (outcome.type === "reflected") return afterReflection(state, outcome, limits);
      break;
  }
  throw impossible(state, outcome);
}

function afterReflection(
  state: LoopState & { phase: "reflecting" },
  outcome: LoopOutcome & { type: "reflected" },
  limits: LoopLimits,
): LoopStep {
  const { iteration, failure } = state;
  if (iteration >= limits.maxIterations) {
    const passes = iteration === 1 ? "1 iteration" : `${iteration} iterations`;
    const message = `not solved after ${passes}, the limit; last: ${failure.message}`;
    return enter({
      phase: "failed",
      iteration,
      failure: { ...failure, kind: "budget", code: "limit.iterations", message },
    });
  }
  if (outcome.stuck) {
    const message = `no progress after ${iteration} iterations: the same tests stay red; last: ${failure.message}`;
    return enter({ phase: "failed", iteration, failure: { ...failure, code: "loop.stuck", message } });
  }
  if (outcome.unexplained) {
    const message = `nobody could tell why it is red after iteration ${iteration}; last: ${failure.message}`;
    return enter({ phase: "failed", iteration, failure: { ...failure, code: "loop.unexplained", message } });
  }
  if (outcome.next === "plan") return enter({ phase: "planning", iteration });
  return startCoding(iteration + 1, limits);
}

/** Planning anew does not add to the allowed iterations. */
function startCoding(iteration: number, limits: LoopLimits): LoopStep {
  const step = enter({ phase: "coding", iteration });
  if (iteration === limits.warnAt && limits.warnAt < limits.maxIterations) {
    step.warning = `circuit breaker: iteration ${iteration} of at most ${limits.maxIterations}`;
  }
  return step;
}

const afterCoding = (limits: LoopLimits): "review" | "audit" | "testing" =>
  limits.review ? "review" : limits.audit ? "audit" : "testing";

const reflect = (iteration: number, failure: Failure): LoopStep => enter({ phase: "reflecting", iteration, failure });

const enter = (state: LoopState): LoopStep => ({ state });

function impossible(state: LoopState, outcome: LoopOutcome): Error {
  return new Error(`the loop cannot get "${outcome.type}" in phase "${state.phase}"`);
}
