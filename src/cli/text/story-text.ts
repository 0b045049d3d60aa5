import { howAnswered } from "../../domain/how-answered.ts";
import { currentPlan } from "../../domain/task/current-plan.ts";
import type { Event } from "../../domain/task/event.ts";
import { planState } from "../../domain/task/plan-state.ts";
import type { TaskStatus } from "../../domain/task/task.ts";
import { count } from "./amounts.ts";
import { evidenceLines, obsoleteLines } from "./evidence-text.ts";
import { branchLine, todoLine } from "./plan-lines.ts";

/** The name of attempts at all todos together. */
const MERGED = "merged";

/** What a task did, told from its events: plan, iterations, result, where it stands now. */
export function storyLines(events: Event[], status: TaskStatus = "running"): string[] {
  return [
    ...planLines(events, status),
    ...iterationLines(events),
    ...safetyLines(events),
    ...resultLines(events),
    ...pauseLines(events),
  ];
}

/** Why nobody works on it, where that was the last thing to happen. */
function pauseLines(events: Event[]): string[] {
  const last = events.at(-1);
  return last?.type === "task-paused" ? [`  stopped: ${last.reason}`] : [];
}

function planLines(events: Event[], status: TaskStatus): string[] {
  const plan = currentPlan(events);
  if (!plan) return [];
  const { spec } = plan;
  const { todos: planned = [], branches = [] } = planState(events, status) ?? {};
  const todos = planned.flatMap((progress) => [
    `  ${todoLine(progress)}`,
    ...branches.filter(({ parent }) => parent === progress.todo.id).map((branch) => `  ${branchLine(branch)}`),
  ]);
  const outOfScope = spec.outOfScope.length > 0 ? [`    out of scope: ${spec.outOfScope.join("; ")}`] : [];
  const requirements = spec.requirements.map(
    ({ id, text, assumption }) => `    ${id} ${text}${assumption ? " (assumption)" : ""}`,
  );
  // The evidence names the requirements again, with what shows them.
  const shown = lastOf(events, "evidence-gathered") ? [] : requirements;
  const head = `  plan: ${spec.title} (${plan.size} ${spec.kind}, ${spec.language})`;
  const obsolete = (spec.superseded ?? []).map(({ test, quote }) => `    becomes obsolete: ${test} (“${quote}”)`);
  return [head, ...todos, ...shown, ...outOfScope, ...obsolete];
}

function iterationLines(events: Event[]): string[] {
  const lines = events.flatMap((event) => {
    if (event.type === "todo-branched") {
      const { id, parent, reason, finding, instructions } = event.branch;
      return [
        `    ${id}, because ${parent} stays red: ${reason.replace("_", " ")}`,
        `      found: ${finding}`,
        `      told: ${instructions}`,
      ];
    }
    if (event.type === "test-replaced") {
      const { test, why, by } = event.replaced;
      return [`    ${test} was written anew: ${why}`, `      now: ${by.join(", ")}`];
    }
    if (event.type === "candidate-chosen") {
      return [`    candidate ${event.chosen} of ${event.candidates.length} was chosen for ${event.todo}`];
    }
    if (event.type !== "iteration-settled") return [];
    const { todo, number, outcome, summary, failure, reflection, hypothesis } = event.iteration;
    const parts = { did: summary, failed: failure?.message, why: reflection, next: hypothesis };
    const told = Object.entries(parts).flatMap(([name, text]) => (text ? [`      ${name}: ${text}`] : []));
    return [`    ${todo === MERGED ? "the whole change" : todo} ${number}: ${outcome}`, ...told];
  });
  return lines.length > 0 ? ["  iterations", ...lines] : [];
}

/** What was not executed, and who allowed what. */
function safetyLines(events: Event[]): string[] {
  const refused = events.filter((event) => event.type === "safety-refused");
  const answers = events.filter((event) => event.type === "approval-answered");
  const answered = new Set(answers.map((event) => event.id));
  const questions = events.filter((event) => event.type === "approval-requested");
  const open = questions.filter(({ request }) => !answered.has(request.id));
  const kinds = [...new Set(refused.map((event) => event.what))].map(
    (what) => `${refused.filter((event) => event.what === what).length} ${what}`,
  );
  const told = answers.map(({ subject, question, answer }) => {
    const why = answer.reason === "" ? "" : `: ${answer.reason}`;
    return `    ${howAnswered(subject, answer)} by ${answer.by}: ${question}${why}`;
  });
  const waiting = open.map(({ request }) => `    waits: ${request.question} (miracle approve ${request.id})`);
  return [
    ...(refused.length > 0 ? [`  refused: ${refused.length} (${kinds.join(", ")})`] : []),
    ...(told.length + waiting.length > 0 ? ["  asked", ...told, ...waiting] : []),
  ];
}

function resultLines(events: Event[]): string[] {
  const evidence = lastOf(events, "evidence-gathered")?.evidence;
  const obsolete = lastOf(events, "obsolete-removed") ?? { removed: [], red: [] };
  const moved = events.findLast((event) => event.type === "change-applied" || event.type === "change-undone");
  return [
    ...(evidence ? ["  evidence", ...evidenceLines(evidence).map((line) => `    ${line}`)] : []),
    ...obsoleteLines(obsolete).map((line) => `    ${line}`),
    ...(moved
      ? [
          `  ${moved.type === "change-applied" ? "applied" : "taken back"}: ${count(moved.files.length, "file")}${moved.branch === undefined ? "" : ` on branch ${moved.branch}`}`,
        ]
      : lastOf(events, "task-settled")
        ? ["  not applied"]
        : []),
  ];
}

function lastOf<Type extends Event["type"]>(events: Event[], type: Type): (Event & { type: Type }) | undefined {
  return events.findLast((event): event is Event & { type: Type } => event.type === type);
}
