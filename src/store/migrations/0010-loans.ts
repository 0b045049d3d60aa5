import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds todos that the worker of a task lends to other workers. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("loans")
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("strand", "text", (column) => column.notNull())
    .addColumn("epoch", "integer", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("beat", "integer", (column) => column.notNull())
    .addColumn("called", "integer", (column) => column.notNull())
    .addColumn("beginning", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("loans_key", ["task_id", "strand"])
    .execute();
}
