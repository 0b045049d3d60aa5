import type { Event } from "../domain/event.ts";
import { count } from "./amounts.ts";
import { evidenceLines } from "./evidence-text.ts";

/** What a task did, told from its events: plan, iterations, result, where it stands now. */
export function storyLines(events: Event[]): string[] {
  return [...planLines(events), ...iterationLines(events), ...resultLines(events), ...pauseLines(events)];
}

/** Why nobody works on it, where that was the last thing to happen. */
function pauseLines(events: Event[]): string[] {
  const last = events.at(-1);
  return last?.type === "task-paused" ? [`  stopped: ${last.reason}`] : [];
}

function planLines(events: Event[]): string[] {
  const plan = lastOf(events, "plan-made");
  if (!plan) return [];
  const { spec } = plan;
  const todos = plan.plan.todos.map((todo) => `    ${todo.id}: ${todo.title}`);
  const outOfScope = spec.outOfScope.length > 0 ? [`    out of scope: ${spec.outOfScope.join("; ")}`] : [];
  const requirements = spec.requirements.map(
    ({ id, text, assumption }) => `    ${id} ${text}${assumption ? " (assumption)" : ""}`,
  );
  // The evidence names the requirements again, with what shows them.
  const shown = lastOf(events, "evidence-gathered") ? [] : requirements;
  return [`  plan: ${spec.title} (${plan.size} ${spec.kind}, ${spec.language})`, ...todos, ...shown, ...outOfScope];
}

function iterationLines(events: Event[]): string[] {
  const lines = events.flatMap((event) => {
    if (event.type !== "iteration-settled") return [];
    const { todo, number, outcome, summary, failure, reflection, hypothesis } = event.iteration;
    const parts = { did: summary, failed: failure?.message, why: reflection, next: hypothesis };
    const told = Object.entries(parts).flatMap(([name, text]) => (text ? [`      ${name}: ${text}`] : []));
    return [`    ${todo} ${number}: ${outcome}`, ...told];
  });
  return lines.length > 0 ? ["  iterations", ...lines] : [];
}

function resultLines(events: Event[]): string[] {
  const evidence = lastOf(events, "evidence-gathered")?.evidence;
  const moved = events.findLast((event) => event.type === "change-applied" || event.type === "change-undone");
  return [
    ...(evidence ? ["  evidence", ...evidenceLines(evidence).map((line) => `    ${line}`)] : []),
    ...(moved
      ? [`  ${moved.type === "change-applied" ? "applied" : "taken back"}: ${count(moved.files.length, "file")}`]
      : lastOf(events, "task-settled")
        ? ["  not applied"]
        : []),
  ];
}

function lastOf<Type extends Event["type"]>(events: Event[], type: Type): (Event & { type: Type }) | undefined {
  return events.findLast((event): event is Event & { type: Type } => event.type === type);
}
