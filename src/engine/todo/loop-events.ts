import type { Iteration } from "../../domain/loop/iteration.ts";
import type { LoopStep } from "../../domain/loop/loop.ts";
import type { EventBody } from "../../domain/task/event.ts";

/** The events of a todo's loop when it enters a phase. */
export function eventsOf(next: LoopStep, todo: string | undefined, settled: Iteration | undefined): EventBody[] {
  const { state, warning } = next;
  const iteration = "iteration" in state ? state.iteration : 0;
  const events: EventBody[] = settled ? [{ type: "iteration-settled", iteration: settled }] : [];
  if (warning !== undefined) events.push({ type: "warning-raised", code: "circuit-breaker", message: warning });
  // Before the first iteration there is nothing to tell: the planning was done for the whole task.
  if (state.phase === "planning" && iteration === 0) return events;
  events.push({ type: "phase-changed", phase: state.phase, iteration, ...(todo !== undefined && { todo }) });
  return events;
}
