import { type Json, plainJson } from "../domain/json.ts";
import type { Event } from "../domain/task/event.ts";

/** The lowest first. */
export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** One line of a log (requirement O3). */
export interface LogLine {
  timestamp: string;
  level: LogLevel;
  task_id: string;
  /** The request over HTTP that it is done for. */
  request?: string;
  iteration: number;
  phase: string;
  event: string;
  /** All else the event says. */
  data: Json;
}

/** `place` is where the task stood before this event; an event that moves it says so itself. */
export function toLogLine(
  event: Event,
  place: Pick<LogLine, "phase" | "iteration">,
  request: string | null = null,
): LogLine {
  const { task, at, type, ...data } = event;
  const moved = event.type === "phase-changed" ? event : place;
  return {
    timestamp: new Date(at).toISOString(),
    level: levelOf(event),
    task_id: task,
    ...(request !== null && { request }),
    iteration: moved.iteration,
    phase: moved.phase,
    event: type,
    data: plainJson(data),
  };
}

function levelOf(event: Event): LogLine["level"] {
  switch (event.type) {
    case "warning-raised":
    case "network-refused":
    case "safety-refused":
      return "warn";
    case "todo-settled":
      return event.ok ? "info" : "warn";
    case "task-settled":
      return event.outcome.status === "not-proven" ? "error" : "info";
    default:
      return "info";
  }
}
