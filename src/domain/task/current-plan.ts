import type { Plan } from "../plan/plan.ts";
import type { Spec } from "../plan/spec.ts";
import type { Event } from "./event.ts";

/** The plan as it is after all that happened: as it was made, or as it was updated last. */
export function currentPlan(events: readonly Event[]): { size: string; spec: Spec; plan: Plan } | undefined {
  for (const event of events.toReversed()) {
    if (event.type === "plan-made" || event.type === "plan-updated") return event;
  }
  return undefined;
}
