import { describeChanges } from "../../domain/plan/plan-changes.ts";
import type { Event } from "../../domain/task/event.ts";
import type { TaskStatus } from "../../domain/task/task.ts";
import type { KeptMessage } from "../../journal/messages.ts";

/** What people said to a task and whether it was heard, and how its plan changed on the way. */
export function changeLines(events: readonly Event[], messages: KeptMessage[], status: TaskStatus): string[] {
  const told = messages.map(({ text, by, at, heardAt }) => {
    const heard = heardAt === null ? waiting(status) : `heard ${moment(heardAt)}`;
    return `    ${by}, ${moment(at)}, ${heard}: ${text}`;
  });
  const updates = events.flatMap((event) => {
    if (event.type !== "plan-updated") return [];
    const changes = describeChanges(event.changes).map((line) => `      ${line}`);
    if (changes.length === 0) return [];
    return [`    ${event.amendment ? "amended" : "updated"}: ${event.why}`, ...changes];
  });
  return [
    ...(told.length > 0 ? ["  told", ...told] : []),
    ...(updates.length > 0 ? ["  changes of the plan", ...updates] : []),
  ];
}

const waiting = (status: TaskStatus): string =>
  status === "running" || status === "paused" ? "waits" : "never heard: the task ended before";

const moment = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** For programs. */
export const planUpdates = (events: readonly Event[]) =>
  events.flatMap((event) => {
    if (event.type !== "plan-updated") return [];
    const { at, why, amendment, changes } = event;
    return [{ at, why, changes, ...(amendment && { amendment }) }];
  });
