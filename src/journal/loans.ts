import type { Transaction } from "kysely";
import { fail } from "../domain/failure.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import type { TaskClaim } from "./claim.ts";
import type { Fence } from "./database-recorder.ts";

/** A todo that another worker may work on, at the claim of the task's owner. */
export interface Loan {
  claim: TaskClaim;
  /** Of the todo's work. All that the guest writes is on it, or on strands below it. */
  strand: string;
}

/** In the hands of a guest. */
export interface LentLoan extends Loan {
  /** What its work begins with, as text. */
  beginning: string;
}

/**
 * Todos that the owner of a task lends to guests, as rows.
 *
 * Invariants:
 * 1. Under one claim a todo is lent once: offered, then lent, then ended by its guest, or taken back by its owner.
 * 2. A guest's write and the row of its loan are one transaction: after a loan was taken back, nothing of it comes: no
 *    step, no question, no request that costs something.
 * 3. A loan is void with its claim: who takes the task over lends anew.
 */
export class Loans {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** False: it was lent under this claim before. A guest of then may only be asleep. */
  async offer({ claim, strand }: Loan, beginning: string): Promise<boolean> {
    const row = { epoch: claim.epoch, state: "offered", beat: 0, called: 0, beginning };
    return this.#store.write(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("loans")
        .values({ task_id: claim.task, strand, ...row })
        .onConflict((conflict) =>
          conflict.columns(["task_id", "strand"]).doUpdateSet(row).where("loans.epoch", "<", claim.epoch),
        )
        .executeTakeFirst();
      return Number(numInsertedOrUpdatedRows) > 0;
    });
  }

  /** Takes what is offered, for a guest. Null: it was taken, or its owner has lost the task. */
  async takeUp(task: string, strand: string): Promise<LentLoan | null> {
    return this.#store.write(async (tx) => {
      const row = await tx
        .selectFrom("loans")
        .innerJoin("tasks", "tasks.id", "loans.task_id")
        .select(["loans.epoch", "frozen_hash", "beginning"])
        .where("task_id", "=", task)
        .where("strand", "=", strand)
        .where("status", "=", "running")
        .whereRef("tasks.epoch", "=", "loans.epoch")
        .executeTakeFirst();
      if (!row) return null;
      const loan = { claim: { task, epoch: row.epoch, frozenHash: row.frozen_hash }, strand };
      const isTaken = await move(tx, loan, ["offered"], "lent");
      return isTaken ? { ...loan, beginning: row.beginning } : null;
    });
  }

  /** The guest lives. Null: it is its own no more. */
  async beat(loan: Loan): Promise<{ isCalled: boolean } | null> {
    const row = await this.#store.write((tx) => raise(tx, loan));
    return row && (await this.#holds(loan.claim)) ? { isCalled: row.called === 1 } : null;
  }

  /** Read apart: who only reads it in a transaction disturbs all that write steps of the task. */
  async #holds({ task, epoch }: TaskClaim): Promise<boolean> {
    const row = await this.#store.read
      .selectFrom("tasks")
      .select(["epoch", "status"])
      .where("id", "=", task)
      .executeTakeFirst();
    return row?.epoch === epoch && row.status === "running";
  }

  /** Lets what a guest writes pass, while the loan is its own, and steps on strands of its todo alone. */
  fence(loan: Loan): Fence {
    return async (tx, strand = loan.strand) => {
      const isBelow = strand === loan.strand || strand.startsWith(`${loan.strand}/`);
      if (!isBelow) throw new Error(`${strand} is not a strand of the lent ${loan.strand}`);
      if (await raise(tx, loan)) return;
      const message = `${loan.strand} of task ${loan.claim.task} was taken back by its owner; this guest stops`;
      throw fail("environment", "journal.fenced", message);
    };
  }

  /** By the guest: whatever it did, the owner goes on. */
  async end(loan: Loan): Promise<void> {
    await this.#store.write((tx) => move(tx, loan, ["lent"], "ended"));
  }

  /** By the owner: what nobody has taken up, or whatever it is. False: it was not so. */
  async takeBack(loan: Loan, which: "offered" | "any"): Promise<boolean> {
    return this.#store.write((tx) => move(tx, loan, which === "offered" ? ["offered"] : ["offered", "lent"], "back"));
  }

  /** Asks the guest to come back after its iteration. */
  async call({ claim, strand }: Loan): Promise<void> {
    await this.#store.write((tx) =>
      tx
        .updateTable("loans")
        .set({ called: 1 })
        .where("task_id", "=", claim.task)
        .where("strand", "=", strand)
        .where("epoch", "=", claim.epoch)
        .execute(),
    );
  }

  async look({ claim, strand }: Loan): Promise<{ state: string; beat: number } | null> {
    const row = await this.#store.read
      .selectFrom("loans")
      .select(["state", "beat"])
      .where("task_id", "=", claim.task)
      .where("strand", "=", strand)
      .where("epoch", "=", claim.epoch)
      .executeTakeFirst();
    return row ?? null;
  }
}

async function move(tx: Transaction<Tables>, { claim, strand }: Loan, from: string[], to: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("loans")
    .set({ state: to })
    .where("task_id", "=", claim.task)
    .where("strand", "=", strand)
    .where("epoch", "=", claim.epoch)
    .where("state", "in", from)
    .executeTakeFirst();
  return Number(numUpdatedRows) > 0;
}

function raise(tx: Transaction<Tables>, { claim, strand }: Loan): Promise<{ called: number } | undefined> {
  return tx
    .updateTable("loans")
    .set((eb) => ({ beat: eb("beat", "+", 1) }))
    .where("task_id", "=", claim.task)
    .where("strand", "=", strand)
    .where("epoch", "=", claim.epoch)
    .where("state", "=", "lent")
    .returning("called")
    .executeTakeFirst();
}
