import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import { fail, type TerminalFailure } from "../domain/failure.ts";
import type { Limits } from "../domain/settings/settings.ts";
import type { Store } from "../store/store.ts";
import type { Tables } from "../store/tables.ts";
import { adjustBudgets, chargeBudgets, dollars, monthOf } from "./budgets.ts";
import type { Amount, Ledger, Reservation } from "./model.ts";

export interface LedgerParts {
  task: string;
  /** The epoch of the claim under which this process works. After a takeover its reservations are refused. */
  epoch: number;
  /** Throws in the transaction that reserves, if this process may spend nothing more for other reasons. */
  fence?: ((tx: Transaction<Tables>) => Promise<void>) | undefined;
  limits: Pick<Limits, "maxCostMicros" | "maxTokens">;
  now: () => number;
}

/** The ledger, with the questions of the code that divides the budget. */
export interface TaskLedger extends Ledger {
  /** The sum over all calls whose path begins with this prefix. */
  spentBy(prefix: string): Promise<Amount>;
  /** What may still be spent; null if there is no limit. */
  left(): Promise<{ costMicros: number | null; tokens: number | null }>;
}

/**
 * The money and tokens of one task. They are in the database, so that every process and every resume counts in one
 * place.
 *
 * Invariants:
 * 1. `tasks.spent_*` is the settled sum plus the reserved sum. It passes a limit only if a server bills more than it
 * may.
 * 2. A reservation is durably committed before `reserve` returns. If it is never settled, it stays spent.
 * 3. Budgets of a month hold in the same transaction: neither is reserved without the other.
 * 4. A settlement happens once. Losing it in a power cut counts too much, never too little.
 */
export function openLedger(store: Store, parts: LedgerParts): TaskLedger {
  const spent = async (): Promise<Amount> => {
    const row = await store.read
      .selectFrom("tasks")
      .select(["spent_micros", "spent_tokens"])
      .where("id", "=", parts.task)
      .executeTakeFirstOrThrow();
    return { costMicros: Number(row.spent_micros), tokens: Number(row.spent_tokens) };
  };
  return {
    reserve: async (worst, path, unpriced) => {
      const id = randomUUID();
      const at = parts.now();
      const month = monthOf(at);
      const holders = await store.write(async (tx) => {
        await parts.fence?.(tx);
        const { maxCostMicros, maxTokens } = parts.limits;
        const { numUpdatedRows } = await tx
          .updateTable("tasks")
          .set((row) => ({
            spent_micros: row("spent_micros", "+", worst.costMicros),
            spent_tokens: row("spent_tokens", "+", worst.tokens),
          }))
          .where("id", "=", parts.task)
          .where("epoch", "=", parts.epoch)
          .$if(maxCostMicros !== null, (query) =>
            query.where("spent_micros", "<=", (maxCostMicros ?? 0) - worst.costMicros),
          )
          .$if(maxTokens !== null, (query) => query.where("spent_tokens", "<=", (maxTokens ?? 0) - worst.tokens))
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) {
          const row = await tx
            .selectFrom("tasks")
            .select(["epoch", "spent_micros", "spent_tokens"])
            .where("id", "=", parts.task)
            .executeTakeFirst();
          throw refusal(worst, parts, row);
        }
        await tx
          .insertInto("reservations")
          .values({
            id,
            task_id: parts.task,
            path,
            micros: worst.costMicros,
            tokens: worst.tokens,
            created_at: at,
          })
          .execute();
        return chargeBudgets(tx, parts.task, month, { costMicros: worst.costMicros, unpriced });
      });
      return reservation(store, { task: parts.task, id, worst, holders, month });
    },
    spent,
    spentBy: async (prefix) => {
      const rows = await store.read
        .selectFrom("reservations")
        .select(["path", "micros", "tokens"])
        .where("task_id", "=", parts.task)
        .execute();
      const own = rows.filter(({ path }) => path.startsWith(prefix));
      return {
        costMicros: own.reduce((sum, row) => sum + Number(row.micros), 0),
        tokens: own.reduce((sum, row) => sum + Number(row.tokens), 0),
      };
    },
    left: async () => {
      const { maxCostMicros, maxTokens } = parts.limits;
      const { costMicros, tokens } = await spent();
      return {
        costMicros: maxCostMicros === null ? null : Math.max(0, maxCostMicros - costMicros),
        tokens: maxTokens === null ? null : Math.max(0, maxTokens - tokens),
      };
    },
  };
}

interface Reserved {
  task: string;
  id: string;
  worst: Amount;
  /** Of the budgets that were charged, in this month. */
  holders: string[];
  month: string;
}

function reservation(store: Store, { task, id, worst, holders, month }: Reserved): Reservation {
  return {
    settle: (actual) =>
      store.write(
        async (tx) => {
          const { numUpdatedRows } = await tx
            .updateTable("reservations")
            .set({ micros: actual.costMicros, tokens: actual.tokens, settled: 1 })
            .where("id", "=", id)
            .where("settled", "=", 0)
            .executeTakeFirst();
          if (numUpdatedRows !== 1n) return;
          await tx
            .updateTable("tasks")
            .set((row) => ({
              spent_micros: row("spent_micros", "+", actual.costMicros - worst.costMicros),
              spent_tokens: row("spent_tokens", "+", actual.tokens - worst.tokens),
            }))
            .where("id", "=", task)
            .execute();
          await adjustBudgets(tx, holders, month, actual.costMicros - worst.costMicros);
        },
        { durable: false },
      ),
  };
}

interface Spent {
  epoch: number;
  spent_micros: number;
  spent_tokens: number;
}

function refusal(worst: Amount, parts: LedgerParts, row: Spent | undefined): TerminalFailure {
  if (!row || row.epoch !== parts.epoch) {
    const message = `task ${parts.task} was taken over by another process; this one makes no further model calls`;
    return fail("environment", "task.superseded", message);
  }
  const { maxCostMicros, maxTokens } = parts.limits;
  const micros = Number(row.spent_micros);
  if (maxCostMicros !== null && micros + worst.costMicros > maxCostMicros) {
    const left = dollars(Math.max(0, maxCostMicros - micros));
    const message = `the next model call may cost up to ${dollars(worst.costMicros)}, and ${left} of ${dollars(maxCostMicros)} is left; raise --max-cost and resume`;
    return fail("budget", "budget.cost", message);
  }
  const left = Math.max(0, (maxTokens ?? 0) - Number(row.spent_tokens));
  const message = `the next model call may take up to ${worst.tokens} tokens, and ${left} of ${maxTokens} are left; raise --max-tokens and resume`;
  return fail("budget", "budget.tokens", message);
}
