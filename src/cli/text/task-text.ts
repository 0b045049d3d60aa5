import type { TaskState } from "../../app/task-state.ts";
import type { Event } from "../../domain/task/event.ts";
import { ANSWERING, type TaskSummary } from "../../domain/task/task.ts";
import type { UnsettledCalls } from "../../store/unsettled-calls.ts";
import { age, cost, count, tokens } from "./amounts.ts";
import { fit, printable, printableLines } from "./printable.ts";

/** A task with where it stands, and how many todos of its plan are done. */
export interface ListedTask extends TaskSummary {
  state: TaskState;
  plan: { done: number; of: number } | null;
}

/** A question stops when it is answered: it does not wait to go on. */
const stateWord = ({ phase }: TaskSummary, state: TaskState): string =>
  phase === ANSWERING && state === "paused" ? "answered" : state;

/** What was used for certain. The row counts the worst case of a call with an unknown outcome as spent, as its limit must. */
const usedOf = (task: TaskSummary, unsettled: UnsettledCalls | undefined): { tokens: number; costMicros: number } => ({
  tokens: task.tokens - (unsettled?.tokens ?? 0),
  costMicros: task.costMicros - (unsettled?.costMicros ?? 0),
});

const reservedWords = ({ calls, tokens: reserved, costMicros }: UnsettledCalls): string =>
  `up to ${[tokens(reserved), ...(costMicros > 0 ? [cost(costMicros)] : [])].join(", ")} for ${count(calls, "call")} of unknown outcome; limits count it`;

/** A page of history: one line per task. */
export function taskTable(
  tasks: ListedTask[],
  now: number,
  columns: number,
  unsettled: ReadonlyMap<string, UnsettledCalls> = new Map(),
): string {
  const rows = tasks.map((task) => [
    task.id,
    stateWord(task, task.state),
    task.plan === null ? "" : `${task.plan.done}/${task.plan.of} todos`,
    age(now - task.createdAt),
    count(task.iterations, "iteration"),
    cost(usedOf(task, unsettled.get(task.id)).costMicros),
    printable(task.goal),
  ]);
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${fit(line.trimEnd(), columns)}\n`)
    .join("");
}

/** `show`, `watch` and what was spent by role have one number, also where recorded answers were played. */
export const answeredTokens = (events: Event[]): number =>
  events.reduce(
    (sum, event) => sum + (event.type === "model-called" ? event.usage.inputTokens + event.usage.outputTokens : 0),
    0,
  );

/** One task with everything its row knows. `answered`: tokens of its model calls, which cost nothing where they were recorded. */
export function describeTask(
  task: TaskSummary,
  state: TaskState,
  now: number,
  unsettled: UnsettledCalls | undefined,
  answered: number,
): string {
  const used = usedOf(task, unsettled);
  const lines = [
    `task ${task.id}: ${stateWord(task, state)}${task.status === "running" ? ` (${task.phase})` : ""}`,
    ...(state === "interrupted" ? [`  nobody works on it any more: miracle resume ${task.id}`] : []),
    `  directory  ${task.directory}`,
    `  started    ${new Date(task.createdAt).toISOString()} (${age(now - task.createdAt)})`,
    `  used       ${count(task.iterations, "iteration")}, ${tokens(Math.max(used.tokens, answered))}, ${cost(used.costMicros)}`,
    ...(unsettled ? [`  reserved   ${reservedWords(unsettled)}`] : []),
  ];
  if (task.parent && task.forkedAt !== null) lines.push(`  fork of    ${task.parent}, from step ${task.forkedAt} on`);
  else if (task.parent) lines.push(`  continues  ${task.parent}`);
  if (task.failure) lines.push(`  failure    ${task.failure.message} (${task.failure.code})`);
  const goal = printableLines(task.goal).split("\n");
  return `${[...lines.map(printable), "  goal", ...goal.map((line) => `    ${line}`)].join("\n")}\n`;
}
