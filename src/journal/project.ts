import type { Transaction } from "kysely";
import type { Event } from "../domain/task/event.ts";
import type { Tables } from "../store/tables.ts";
import { auditEvent } from "./audit-event.ts";
import { recordTraits, tally } from "./tally.ts";

/** Updates the tables that people query from the events, inside the transaction that commits the events. */
export async function project(tx: Transaction<Tables>, event: Event): Promise<void> {
  await projectState(tx, event);
  await tally(tx, event);
  await auditEvent(tx, event);
}

/** Updates the state of a task, except its costs. */
export async function projectState(tx: Transaction<Tables>, event: Event): Promise<void> {
  const task = () => tx.updateTable("tasks").where("id", "=", event.task);
  await recordTraits(tx, event);
  switch (event.type) {
    case "task-started":
      await task().set({ base_tree: event.baseTree }).execute();
      return;
    case "phase-changed":
      await task().set({ phase: event.phase }).execute();
      return;
    case "iteration-settled":
      await recordIteration(tx, event);
      return;
    case "approval-requested":
      await recordQuestion(tx, event);
      return;
    case "approval-answered":
      await recordAnswer(tx, event);
      return;
    case "message-told":
      await recordTold(tx, event);
      return;
    case "message-heard":
      await recordHeard(tx, event);
      return;
    case "task-settled":
      await settle(tx, event);
      return;
  }
}

async function recordIteration(tx: Transaction<Tables>, event: Event & { type: "iteration-settled" }): Promise<void> {
  const { iteration } = event;
  await tx
    .updateTable("tasks")
    .set((eb) => ({ iterations: eb("iterations", "+", 1) }))
    .where("id", "=", event.task)
    .execute();
  const row = {
    task_id: event.task,
    todo: iteration.todo,
    iteration_num: iteration.number,
    phase: iteration.outcome,
    code_snapshot: iteration.tree,
    test_results: JSON.stringify({ passed: iteration.passed, red: iteration.red }),
    error_message: iteration.failure?.message ?? null,
    reflection: iteration.reflection ?? null,
    hypothesis: iteration.hypothesis ?? null,
    tokens_used: iteration.tokens,
    duration_seconds: iteration.durationMs / 1000,
    created_at: event.at,
  };
  await tx
    .insertInto("iterations")
    .values(row)
    .onConflict((conflict) => conflict.columns(["task_id", "todo", "iteration_num"]).doUpdateSet(row))
    .execute();
  const { todo, number, outcome, passed, red, tokens, failure } = iteration;
  const metadata = JSON.stringify({ todo, iteration: number, phase: outcome, error: failure?.kind ?? null });
  const measured = (metric_type: string, value: number) => {
    return { task_id: event.task, metric_type, value, metadata, created_at: event.at };
  };
  await tx
    .insertInto("metrics")
    .values([
      measured("iteration-seconds", iteration.durationMs / 1000),
      measured("iteration-tokens", tokens),
      measured("iteration-pass-rate", passed + red.length === 0 ? 0 : passed / (passed + red.length)),
    ])
    .execute();
}

async function recordQuestion(
  tx: Transaction<Tables>,
  { task, at, request }: Event & { type: "approval-requested" },
): Promise<void> {
  await tx
    .insertInto("approvals")
    .values({
      id: request.id,
      task_id: task,
      subject: request.subject,
      context: JSON.stringify(request),
      status: "open",
      answered_by: null,
      reason: null,
      created_at: at,
      answered_at: null,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** The first answer counts. */
async function recordAnswer(
  tx: Transaction<Tables>,
  { id, answer }: Event & { type: "approval-answered" },
): Promise<void> {
  const { granted, by, reason, at } = answer;
  await tx
    .updateTable("approvals")
    .set({ status: granted ? "granted" : "denied", answered_by: by, reason, answered_at: at })
    .where("id", "=", id)
    .where("status", "=", "open")
    .execute();
}

async function recordTold(
  tx: Transaction<Tables>,
  { task, number, message }: Event & { type: "message-told" },
): Promise<void> {
  const { id, text, by, at } = message;
  await tx
    .insertInto("messages")
    .values({ id, task_id: task, number, text, said_by: by, told_at: at, heard_at: null })
    .execute();
}

/** A fork projects the past of its parent. The message row belongs to the parent then, and stays unchanged. */
async function recordHeard(
  tx: Transaction<Tables>,
  { task, at, message }: Event & { type: "message-heard" },
): Promise<void> {
  await tx
    .updateTable("messages")
    .set({ heard_at: at })
    .where("id", "=", message.id)
    .where("task_id", "=", task)
    .where("heard_at", "is", null)
    .execute();
}

async function settle(tx: Transaction<Tables>, event: Event & { type: "task-settled" }): Promise<void> {
  const { outcome } = event;
  await tx
    .updateTable("tasks")
    .set({
      status: outcome.status,
      final_code: outcome.tree,
      failure: outcome.status === "not-proven" ? JSON.stringify(outcome.failure) : null,
      owner: null,
    })
    .where("id", "=", event.task)
    .execute();
  await tx
    .insertInto("metrics")
    .values({
      task_id: event.task,
      metric_type: "task-proven",
      value: outcome.status === "proven" ? 1 : 0,
      metadata: null,
      created_at: event.at,
    })
    .execute();
}
