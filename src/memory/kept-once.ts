import type { Transaction } from "kysely";
import { z } from "zod";
import type { Tables } from "../store/tables.ts";
import type { Kept } from "./keep-record.ts";
import { toLesson, toPattern } from "./memory-rows.ts";

/** The step of a task that writes to memory. */
export interface WritingStep {
  task: string;
  step: string;
}

const Noted = z.array(z.object({ id: z.string(), isNew: z.boolean() }));

/** What this step kept in an earlier run; null if it never ran. Read in the transaction that would keep it now. */
export async function keptBefore(tx: Transaction<Tables>, { task, step }: WritingStep): Promise<Kept[] | null> {
  const row = await tx
    .selectFrom("memory_writes")
    .select("kept")
    .where("task_id", "=", task)
    .where("step", "=", step)
    .executeTakeFirst();
  if (!row) return null;
  const kept: Kept[] = [];
  for (const { id, isNew } of Noted.parse(JSON.parse(row.kept))) {
    const lesson = await tx.selectFrom("failures").selectAll().where("id", "=", id).executeTakeFirst();
    const pattern = await tx.selectFrom("patterns").selectAll().where("id", "=", id).executeTakeFirst();
    if (lesson) kept.push({ record: toLesson(lesson), isNew });
    else if (pattern) kept.push({ record: toPattern(pattern), isNew });
  }
  return kept;
}

export async function noteKept(
  tx: Transaction<Tables>,
  { task, step }: WritingStep,
  kept: readonly Kept[],
  at: number,
): Promise<void> {
  const ids = kept.map(({ record, isNew }) => ({ id: record.id, isNew }));
  await tx
    .insertInto("memory_writes")
    .values({ task_id: task, step, kept: JSON.stringify(ids), created_at: at })
    .execute();
}
