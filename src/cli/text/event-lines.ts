import { isNote } from "../../domain/plan/amendment.ts";
import { describeChanges } from "../../domain/plan/plan-changes.ts";
import type { Event } from "../../domain/task/event.ts";
import { strandOfTodo, todoOfStrand } from "../../domain/task/step-path.ts";
import { eventLine } from "./event-line.ts";
import { type Line, line, type Tone } from "./line.ts";
import { changedPlanLines, planLines } from "./plan-lines.ts";
import { printable } from "./printable.ts";
import { redTestLines } from "./red-test-lines.ts";

/** An event as a person reads along: its line, and below it what it is about. */
export function eventLines(event: Event): Line[] {
  const text = eventLine(event);
  if (text === null) return [];
  return [line(text, toneOf(event)), ...below(event).map((one) => ({ ...one, text: printable(one.text) }))];
}

/** The todo that a line belongs to: where several are worked on at once, each line has to say it. */
export const todoOf = (event: Event): string | undefined => {
  const strand = strandOfTodo(event.step);
  return strand === undefined ? undefined : todoOfStrand(strand);
};

function below(event: Event): Line[] {
  switch (event.type) {
    case "plan-made":
      return planLines(event.spec, event.plan);
    case "plan-updated":
      return event.amendment && !isNote(event.amendment)
        ? changedPlanLines(event.spec, event.plan, event.changes)
        : describeChanges(event.changes).map((text) => line(`  ${text}`));
    case "tests-run":
      // New tests are red before the change: that is no news.
      return event.scope === "red-check" ? [] : redTestLines(event.red);
    default:
      return [];
  }
}

function toneOf(event: Event): Tone {
  switch (event.type) {
    case "phase-changed":
    case "plan-made":
      return "head";
    case "tests-run":
      return event.scope === "red-check" ? "plain" : event.passed || isExcused(event) ? "good" : "bad";
    case "todo-settled":
      return event.ok ? "good" : "bad";
    case "iteration-settled":
      return "bad";
    case "warning-raised":
    case "network-refused":
    case "safety-refused":
    case "approval-requested":
    case "task-paused":
      return "warn";
    case "model-called":
    case "tool-called":
    case "memory-recalled":
    case "task-started":
      return "dim";
    default:
      return "plain";
  }
}

/** No red test is held against the change. */
const isExcused = ({ counts, excused }: Event & { type: "tests-run" }): boolean =>
  excused !== undefined && excused.obsolete + excused.before === counts.red;
