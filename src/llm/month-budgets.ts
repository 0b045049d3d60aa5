import { fail } from "../domain/failure.ts";
import type { Store } from "../store/store.ts";
import { monthOf } from "./budgets.ts";

/** `person:anna`, `team:shop`, or `all`. */
export const HOLDER = /^(?:all|(?:person|team):[\w.@+-]{1,100})$/;

export interface MonthBudget {
  holder: string;
  /** What may be spent in a month; null: there is no budget. */
  limitMicros: number | null;
  /** Reserved included. */
  spentMicros: number;
}

/** Budgets with what was spent of them in the month of `now`, and people who have none with what they spent. */
export async function listBudgets(store: Store, now: number): Promise<MonthBudget[]> {
  const month = monthOf(now);
  const budgets = await store.read
    .selectFrom("budgets")
    .leftJoin("spending", (join) =>
      join.onRef("spending.holder", "=", "budgets.holder").on("spending.month", "=", month),
    )
    .select(["budgets.holder as holder", "budgets.micros as limit", "spending.micros as spent"])
    .execute();
  const held = budgets.map(({ holder, limit, spent }) => ({
    holder,
    limitMicros: Number(limit),
    spentMicros: Number(spent ?? 0),
  }));
  const others = (await spentByPerson(store, month)).filter(({ holder }) => !held.some((one) => one.holder === holder));
  return [...held, ...others].sort((a, b) => a.holder.localeCompare(b.holder));
}

/** What the month has seen so far counts, as far as its tasks are still there. */
export async function setBudget(store: Store, holder: string, limitMicros: number, now: number): Promise<void> {
  if (!HOLDER.test(holder)) {
    throw fail("invalid-input", "budget.holder", `${holder}: expected person:NAME, team:NAME or all`);
  }
  const month = monthOf(now);
  await store.write(
    async (tx) => {
      const row = { holder, micros: limitMicros };
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("budgets")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows !== 1n) {
        await tx.updateTable("budgets").set(row).where("holder", "=", holder).execute();
        return;
      }
      const [kind, name = ""] = holder.split(":");
      let query = tx
        .selectFrom("reservations")
        .innerJoin("tasks", "tasks.id", "reservations.task_id")
        .select(({ fn }) => fn.sum<number | null>("reservations.micros").as("micros"))
        .where("reservations.created_at", ">=", startOf(month));
      if (kind === "person") query = query.where("tasks.person", "=", name);
      if (kind === "team") {
        query = query.where("tasks.person", "in", (eb) =>
          eb.selectFrom("people").select("name").where("team", "=", name),
        );
      }
      const micros = Number((await query.executeTakeFirst())?.micros ?? 0);
      await tx
        .insertInto("spending")
        .values({ holder, month, micros })
        .onConflict((conflict) => conflict.columns(["holder", "month"]).doUpdateSet({ micros }))
        .execute();
    },
    // What is reserved meanwhile would be counted nowhere.
    { alone: true },
  );
}

/** False: there was none. */
export async function removeBudget(store: Store, holder: string): Promise<boolean> {
  const { numDeletedRows } = await store.write((tx) =>
    tx.deleteFrom("budgets").where("holder", "=", holder).executeTakeFirstOrThrow(),
  );
  return numDeletedRows > 0n;
}

/** A person is in one team. What they spend counts for it from now on. Null: in none. */
export async function joinTeam(store: Store, name: string, team: string | null): Promise<void> {
  for (const one of [`person:${name}`, ...(team === null ? [] : [`team:${team}`])]) {
    if (!HOLDER.test(one)) throw fail("invalid-input", "budget.holder", `${one}: letters, digits and . @ + - _ only`);
  }
  await store.write(async (tx) => {
    await tx.deleteFrom("people").where("name", "=", name).execute();
    if (team !== null) await tx.insertInto("people").values({ name, team }).execute();
  });
}

async function spentByPerson(store: Store, month: string): Promise<MonthBudget[]> {
  const rows = await store.read
    .selectFrom("reservations")
    .innerJoin("tasks", "tasks.id", "reservations.task_id")
    .select(({ fn }) => ["tasks.person", fn.sum<number>("reservations.micros").as("micros")])
    .where("reservations.created_at", ">=", startOf(month))
    .groupBy("tasks.person")
    .execute();
  return rows.map(({ person, micros }) => ({
    holder: `person:${person}`,
    limitMicros: null,
    spentMicros: Number(micros),
  }));
}

const startOf = (month: string): number => Date.parse(`${month}-01T00:00:00Z`);
