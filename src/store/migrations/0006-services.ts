import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";

/** Adds what a server promised to do, and who may ask it. */
export async function up(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable("jobs")
    .addColumn("task_id", "text", (column) => column.primaryKey())
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("handed_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("tokens")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
}
