import { sql, type Transaction } from "kysely";
import { fail } from "../domain/failure.ts";
import type { Tables } from "../store/tables.ts";

/** `2026-11`, the same on all machines. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/**
 * Adds an amount to what the budgets of a task's person, their team and everybody have spent in this month, each by one
 * conditional update, or refuses it and throws. Answers the holders. Where there is no budget nothing is written.
 */
export async function chargeBudgets(
  tx: Transaction<Tables>,
  task: string,
  month: string,
  { costMicros, unpriced }: { costMicros: number; unpriced?: string | undefined },
): Promise<string[]> {
  // Always in the same order: two who lock rows in other orders would wait for each other.
  const { rows } = await sql<{ holder: string; micros: number }>`
    select holder, micros from budgets where holder = 'all'
      or holder = (select 'person:' || person from tasks where id = ${task})
      or holder = (select 'team:' || team from people where name = (select person from tasks where id = ${task}))
    order by holder`.execute(tx);
  for (const { holder, micros } of rows) {
    if (unpriced !== undefined) throw noPrice(unpriced, holder);
    const limit = Number(micros);
    await tx
      .insertInto("spending")
      .values({ holder, month, micros: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { numUpdatedRows } = await tx
      .updateTable("spending")
      .set((row) => ({ micros: row("micros", "+", costMicros) }))
      .where("holder", "=", holder)
      .where("month", "=", month)
      .where("micros", "<=", limit - costMicros)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw await refusal(tx, { holder, month, limit, costMicros });
  }
  return rows.map(({ holder }) => holder);
}

/** Gives back, or takes more. */
export async function adjustBudgets(
  tx: Transaction<Tables>,
  holders: readonly string[],
  month: string,
  micros: number,
): Promise<void> {
  for (const holder of holders) {
    await tx
      .updateTable("spending")
      .set((row) => ({ micros: row("micros", "+", micros) }))
      .where("holder", "=", holder)
      .where("month", "=", month)
      .execute();
  }
}

async function refusal(
  tx: Transaction<Tables>,
  { holder, month, limit, costMicros }: { holder: string; month: string; limit: number; costMicros: number },
) {
  const spent = await tx
    .selectFrom("spending")
    .select("micros")
    .where("holder", "=", holder)
    .where("month", "=", month)
    .executeTakeFirst();
  const left = dollars(Math.max(0, limit - Number(spent?.micros ?? 0)));
  const message = `the next model call may cost up to ${dollars(costMicros)}, and ${left} of the ${dollars(limit)} of ${holder} is left in ${month}; \`miracle budget\` shows and sets it`;
  return fail("budget", "budget.month", message);
}

function noPrice(model: string, holder: string) {
  const message = `${model} has no price, so the budget of ${holder} cannot be kept: add it to prices`;
  return fail("budget", "budget.no-price", message);
}

export const dollars = (micros: number) => `$${(micros / 1e6).toFixed(micros < 10_000 ? 6 : 4)}`;
