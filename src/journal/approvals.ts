import type { Selectable } from "kysely";
import type { Bus } from "../bus/bus.ts";
import { type Approval, ApprovalAnswer, ApprovalRequest, ApprovalSubject } from "../domain/approval.ts";
import { fail } from "../domain/failure.ts";
import { plainJson } from "../domain/json.ts";
import type { EventBody } from "../domain/task/event.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { appendEvent } from "./append-event.ts";
import type { TaskClaim } from "./claim.ts";
import type { Fence } from "./database-recorder.ts";
import type { Redact } from "./redact.ts";

export interface ApprovalBookParts {
  store: Store;
  claim: TaskClaim;
  /** Absent: the claim alone says who may ask. */
  fence?: Fence | undefined;
  bus: Bus;
  redact: Redact;
  clock: () => number;
}

/**
 * The questions of one task, for the process that works on it.
 *
 * Invariants:
 * 1. A question is stored before anybody is asked, so that it can be answered from anywhere.
 * 2. The first answer counts. It is stored before it is used, so nobody is asked again.
 */
export class ApprovalBook {
  readonly #parts: ApprovalBookParts;

  constructor(parts: ApprovalBookParts) {
    this.#parts = parts;
  }

  /** Stores the question once, however often it is asked. Returns its answer if there is one. */
  async open(request: ApprovalRequest): Promise<ApprovalAnswer | null> {
    const { store, claim, fence, bus, clock } = this.#parts;
    const body = this.#clean({ type: "approval-requested", request });
    const { event, answer } = await store.write(async (tx) => {
      await fence?.(tx);
      const row = await tx.selectFrom("approvals").selectAll().where("id", "=", request.id).executeTakeFirst();
      if (row) return { event: null, answer: toApproval(row).answer };
      const event = await appendEvent(tx, claim.task, body, { at: clock(), epoch: claim.epoch });
      if (event) return { event, answer: null };
      const message = `task ${claim.task} was taken over by another process; this one stops`;
      throw fail("environment", "journal.fenced", message);
    });
    if (event) bus.publish(event);
    return answer;
  }

  /** Returns the answer that counts: the first one, which may have come before this one. */
  async answer(id: string, answer: ApprovalAnswer): Promise<ApprovalAnswer> {
    const { store, bus, redact } = this.#parts;
    const clean = ApprovalAnswer.parse(redact(plainJson(answer)));
    const { event, counts } = await answerApproval(store, id, clean);
    if (event) bus.publish(event);
    return counts;
  }

  async answerTo(id: string): Promise<ApprovalAnswer | null> {
    const row = await this.#parts.store.read
      .selectFrom("approvals")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row ? toApproval(row).answer : null;
  }

  #clean(body: EventBody & { type: "approval-requested" }): EventBody {
    const request = ApprovalRequest.parse(this.#parts.redact(plainJson(body.request)));
    return { type: "approval-requested", request };
  }
}

/** Answers an open question. An answered question keeps its answer. */
export async function answerApproval(store: Store, id: string, answer: ApprovalAnswer) {
  return store.write(async (tx) => {
    const row = await tx.selectFrom("approvals").selectAll().where("id", "=", id).executeTakeFirst();
    if (!row) throw unknown(id);
    const { task, request, answer: given } = toApproval(row);
    if (given) return { event: null, counts: given };
    const { subject, question } = request;
    const body = { type: "approval-answered" as const, id, subject, question, answer };
    return { event: await appendEvent(tx, task, body, { at: answer.at }), counts: answer };
  });
}

/** From now on the yes to this question holds for all of its subject in its task. */
export async function holdForTask(store: Store, id: string): Promise<void> {
  await store.write(async (tx) => {
    await tx
      .updateTable("approvals")
      .set({ holds: "task" })
      .where("id", "=", id)
      .where("status", "=", "granted")
      .execute();
  });
}

/** The subjects that need no question any more in this task, and who said so. */
export async function heldForTask(store: Store, task: string): Promise<{ subjects: ApprovalSubject[]; by: string[] }> {
  const rows = await store.read
    .selectFrom("approvals")
    .select(["subject", "answered_by"])
    .distinct()
    .where("task_id", "=", task)
    .where("holds", "=", "task")
    .where("status", "=", "granted")
    .execute();
  const subjects = rows.map(({ subject }) => ApprovalSubject.parse(subject));
  return { subjects: [...new Set(subjects)], by: [...new Set(rows.map(({ answered_by }) => answered_by ?? ""))] };
}

/** The question with this id, or with the only id that starts with these characters. */
export async function findApproval(store: Store, id: string): Promise<Approval> {
  const rows = await store.read
    .selectFrom("approvals")
    .selectAll()
    .where("id", ">=", id)
    .where("id", "<", `${id}\uffff`)
    .limit(2)
    .execute();
  const [row] = rows.filter((candidate) => candidate.id === id).concat(rows);
  if (!row) throw unknown(id);
  if (rows.length > 1 && row.id !== id) {
    throw fail("invalid-input", "approval.ambiguous", `several questions start with ${id}; give more of the id`);
  }
  return toApproval(row);
}

/** Lists open questions, or all, oldest first: of one task, or of every task that has not ended. */
export async function listApprovals(
  store: Store,
  options: { task?: string | undefined; answered: boolean },
): Promise<Approval[]> {
  let query = store.read
    .selectFrom("approvals")
    .innerJoin("tasks", "tasks.id", "approvals.task_id")
    .selectAll("approvals")
    .orderBy("approvals.created_at")
    .orderBy("approvals.id");
  if (options.task !== undefined) query = query.where("task_id", "=", options.task);
  if (!options.answered) {
    query = query.where("approvals.status", "=", "open").where("tasks.status", "in", ["running", "paused"]);
  }
  return (await query.execute()).map(toApproval);
}

function toApproval(row: Selectable<Tables["approvals"]>): Approval {
  const answered = row.status !== "open";
  return {
    task: row.task_id,
    request: ApprovalRequest.parse(JSON.parse(row.context)),
    createdAt: Number(row.created_at),
    answer: answered
      ? {
          granted: row.status === "granted",
          by: row.answered_by ?? "",
          reason: row.reason ?? "",
          at: Number(row.answered_at ?? 0),
        }
      : null,
  };
}

const unknown = (id: string) =>
  fail("invalid-input", "approval.unknown", `there is no question ${id}; \`miracle approvals\` lists them`);
