import type { Iteration } from "../../domain/loop/iteration.ts";
import type { LoopStep } from "../../domain/loop/loop.ts";
import type { EventBody } from "../../domain/task/event.ts";

/** What is told when a todo's loop enters a phase. */
export function eventsOf(next: LoopStep, todo: string | undefined, settled: Iteration | undefined): EventBody[] {
  const { state, warning } = next;
  const iteration = "iteration" in state ? state.iteration : 0;
  const events: EventBody[] = settled ? [{ type: "iteration-settled", iteration: settled }] : [];
  if (warning !== undefined) events.push({ type: "warning-raised", code: "circuit-breaker", message: warning });
  // Before the first iteration there is nothing to plan for a todo: the plan was made for the task.
  if (state.phase === "planning" && iteration === 0) return events;
  events.push({ type: "phase-changed", phase: state.phase, iteration, ...(todo !== undefined && { todo }) });
  return events;
}
