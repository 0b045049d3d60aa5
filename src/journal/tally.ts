import type { Transaction } from "kysely";
import { noticedOf } from "../domain/evidence/mutant-report.ts";
import type { Event } from "../domain/task/event.ts";
import { phaseOf } from "../domain/task/step-path.ts";
import type { Tables } from "../store/tables.ts";

/** One count: how often, and how much. */
export interface Tally {
  metric: string;
  label: string;
  total: number;
}

/** What an event adds to the counts of its task. Pure. `domain/task/metrics.ts` explains the metrics. */
export function talliesOf(event: Event): Tally[] {
  const one = (metric: string, label: string, total = 1): Tally => ({ metric, label, total });
  switch (event.type) {
    case "tool-called":
      return [one(event.ok ? "tool" : "tool-failed", event.tool, event.durationMs)];
    case "tests-run":
      return [
        one("tests-passed", event.scope, event.counts.passed),
        one("tests-red", event.scope, event.counts.red),
        one("runs-green", event.scope, event.passed ? 1 : 0),
      ];
    case "iteration-settled": {
      const { outcome, durationMs, failure } = event.iteration;
      return [one("iteration", outcome, durationMs), ...(failure ? [one("error", failure.kind)] : [])];
    }
    case "coverage-measured":
      return event.share === null ? [] : [one("coverage", "", event.share)];
    case "evidence-gathered": {
      const { flakes, mutants, scans } = event.evidence;
      const tests = event.evidence.requirements.reduce((sum, { tests }) => sum + tests.length, 0);
      const noticed = mutants ? [one("mutants-killed", "", noticedOf(mutants))] : [];
      const survived = mutants ? [one("mutants-survived", "", mutants.counts.survived)] : [];
      return [
        one("flaky-tests", "", flakes?.flipped.length ?? 0),
        one("proof-tests", "", tests),
        ...noticed,
        ...survived,
        // Of the result: what was refused on the way was mended, or is not in it.
        ...(scans ? [one("result-clean", "", scans.some(({ blocking }) => blocking) ? 0 : 1)] : []),
      ];
    }
    case "safety-refused":
      return [one("refused", event.what)];
    case "network-refused":
      return [one("refused", "network")];
    case "approval-answered":
      return isPerson(event.answer.by) ? [one("intervention", event.subject)] : [];
    case "message-told":
      return [one("intervention", "tell")];
    case "change-undone":
      return [one("intervention", "undo")];
    case "memory-recalled":
      return [one("recall", event.cause, event.shown.length + event.heldBack.length > 0 ? 1 : 0)];
    case "todo-settled":
      return [one("todo", "", event.ok ? 1 : 0)];
    case "task-settled":
      return event.outcome.status === "not-proven" ? [one("not-proven", event.outcome.failure.code)] : [];
    default:
      return [];
  }
}

const isPerson = (by: string): boolean => by !== "" && by !== "nobody there" && !by.startsWith("policy:");

/** Updates the counts of a task in the transaction that commits the event. */
export async function tally(tx: Transaction<Tables>, event: Event): Promise<void> {
  if (event.type === "model-called") await recordCall(tx, event);
  // One query, because each one is a round trip to a database server.
  const rows = talliesOf(event).map((counted) => ({ task_id: event.task, times: 1, ...counted }));
  if (rows.length === 0) return;
  await tx
    .insertInto("tallies")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["task_id", "metric", "label"]).doUpdateSet((eb) => ({
        times: eb("tallies.times", "+", 1),
        total: eb("tallies.total", "+", eb.ref("excluded.total")),
      })),
    )
    .execute();
}

async function recordCall(tx: Transaction<Tables>, event: Event & { type: "model-called" }): Promise<void> {
  const { usage } = event;
  const row = {
    task_id: event.task,
    role: event.role,
    phase: phaseOf(event.step),
    model: event.model,
    calls: 1,
    attempts: event.attempts,
    input_tokens: usage.inputTokens,
    cached_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
    cost_micros: usage.costMicros ?? 0,
    unpriced: usage.costMicros === null ? 1 : 0,
    duration_ms: Math.round(event.durationMs),
  };
  await tx
    .insertInto("usage")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["task_id", "role", "phase", "model"]).doUpdateSet((eb) => ({
        calls: eb("usage.calls", "+", 1),
        attempts: eb("usage.attempts", "+", row.attempts),
        input_tokens: eb("usage.input_tokens", "+", row.input_tokens),
        cached_tokens: eb("usage.cached_tokens", "+", row.cached_tokens),
        output_tokens: eb("usage.output_tokens", "+", row.output_tokens),
        cost_micros: eb("usage.cost_micros", "+", row.cost_micros),
        unpriced: eb("usage.unpriced", "+", row.unpriced),
        duration_ms: eb("usage.duration_ms", "+", row.duration_ms),
      })),
    )
    .execute();
}

/** Records what a task is about and when it ended. Metrics are grouped by this. */
export async function recordTraits(tx: Transaction<Tables>, event: Event): Promise<void> {
  const task = tx.updateTable("tasks").where("id", "=", event.task);
  if (event.type === "plan-made") {
    await task.set({ language: event.spec.language, goal_kind: event.spec.kind }).execute();
  }
  if (event.type === "task-settled") await task.set({ settled_at: event.at }).execute();
}
